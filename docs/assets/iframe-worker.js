// Search from disk: browsers start no Worker from a file, so the site's is run in a hidden frame.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = "Search";
      frame.addEventListener("load", () => this.begin(frame.contentWindow, url), { once: true });
      document.body.append(frame);
    }

    /** In the frame, what a worker posts goes to whoever made the worker. */
    begin(inside, url) {
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = inside.document.createElement("script");
      script.src = url;
      script.addEventListener("load", () => {
        this.inside = inside;
        for (const data of this.waiting.splice(0)) this.postMessage(data);
      });
      inside.document.head.append(script);
    }

    postMessage(data) {
      if (!this.inside) this.waiting.push(data);
      else this.inside.dispatchEvent(new this.inside.MessageEvent("message", { data }));
    }
  };
}
