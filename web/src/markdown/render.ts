// Markdown to elements. HTML in the text is shown as text; the output of marked is sanitised in any
// case before it becomes part of the page.
import DOMPurify from "dompurify";
import { Marked, type Tokens } from "marked";

const TAGS = [
  "a", "b", "blockquote", "br", "code", "del", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "input",
  "kbd", "li", "ol", "p", "pre", "s", "span", "strong", "sub", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul",
];
const ATTRIBUTES = ["align", "checked", "class", "disabled", "href", "start", "type"];
const HARMLESS = /^<\/?(?:br|sub|sup|kbd)\s*\/?>$/i;

const escape = (text: string) =>
  text.replace(/[&<>"']/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[c]!);

const marked = new Marked({ gfm: true, breaks: false, async: false });
marked.use({
  renderer: {
    html({ text }: Tokens.HTML | Tokens.Tag) {
      return HARMLESS.test(text.trim()) ? text : escape(text);
    },
    // An image would be a request to another server, so it becomes a link.
    image({ href, text }: Tokens.Image) {
      return `<a href="${escape(href)}">${escape(text || href)}</a>`;
    },
    code({ text, lang }: Tokens.Code) {
      const language = /^[\w+#.-]{1,30}/.exec(lang ?? "")?.[0] ?? "";
      return `<pre><code class="language-${language}">${escape(text)}\n</code></pre>`;
    },
  },
});

const SAFE_ADDRESS = /^(?:https?:|mailto:)/i;

DOMPurify.addHook("afterSanitizeAttributes", (node) => {
  if (node.nodeName === "A") {
    const address = node.getAttribute("href") ?? "";
    if (!SAFE_ADDRESS.test(address)) node.removeAttribute("href");
    else {
      node.setAttribute("target", "_blank");
      node.setAttribute("rel", "noopener noreferrer");
    }
  } else if (node.nodeName === "INPUT") {
    node.setAttribute("type", "checkbox");
    node.setAttribute("disabled", "");
  }
});

const CONFIG = {
  ALLOWED_TAGS: TAGS,
  ALLOWED_ATTR: ATTRIBUTES,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true as const,
};
DOMPurify.setConfig(CONFIG); // Otherwise it is evaluated again for each text.

export function sanitise(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, CONFIG);
}

export function render(markdown: string): DocumentFragment {
  return sanitise(marked.parse(markdown) as string);
}

// Several texts, each as a `div`, with one call of the sanitiser, because it creates a document for each call.
export function renderAll(markdowns: string[]): HTMLElement[] {
  const all = sanitise(markdowns.map((each) => `<div>${marked.parse(each) as string}</div>`).join(""));
  return [...all.children] as HTMLElement[];
}
