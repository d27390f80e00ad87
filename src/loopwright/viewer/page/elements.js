"use strict";
// What all panels build with. Foreign text enters the page here, and only as text.

const SVG = "http://www.w3.org/2000/svg";

const find = (id) => document.getElementById(id);

/** An element of HTML; children are elements or text. */
function element(name, attributes = {}, ...children) {
  return furnish(document.createElement(name), attributes, children);
}

/** The same in a drawing. */
function shape(name, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, name), attributes, children);
}

function furnish(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") made.addEventListener("click", value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children); // text becomes a text node
  return made;
}

/** Set text only where it is another: the browser then draws no more than what changed. */
function say(where, text) {
  if (where.textContent !== text) where.textContent = text;
}

/** A choice from names; `none` is what stands for no choice. */
function fillChoice(select, names, none) {
  const listed = names.map((name) => element("option", { value: name }, name));
  select.replaceChildren(...(none === null ? [] : [element("option", { value: "" }, none)]), ...listed);
}
