// The data of the page: JSON, compressed, in base64.

async function readData() {
  const letters = atob(find("data").textContent.trim());
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(plain).text());
}

/** JSON has no such numbers: they are written as text. */
const STRANGE = { nan: NaN, inf: Infinity, "-inf": -Infinity };
const numberFrom = (data) => (typeof data === "string" ? STRANGE[data] : data);
