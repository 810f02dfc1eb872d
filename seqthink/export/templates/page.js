"use strict";
(() => {
  const all = (selector, from = document) => Array.from(from.querySelectorAll(selector));
  const field = document.getElementById("find");
  if (!field) return;
  const found = document.getElementById("found"), fold = document.getElementById("fold");
  const tree = document.getElementById("tree");
  const items = all("main .item"), parts = all(".part, .run").reverse();
  let known = null;
  const rowOf = (item) => (known ??= new Map(all("a.row", tree).map((row) => [row.getAttribute("href"), row]))).get(`#${item.id}`);
  const texts = [];
  const most = 2000;
  let here = null, waiting = 0;

  document.getElementById("tools").hidden = false;

  const wordsOf = (typed) => typed.toLowerCase().split(/\s+/).filter(Boolean);
  const textOf = (number) => (texts[number] ??= items[number].textContent.toLowerCase());

  const mark = (words) => {
    if (!CSS.highlights) return;
    CSS.highlights.delete("found");
    const ranges = [];
    for (const item of words.length ? items : []) {
      if (item.hidden) continue;
      const walker = document.createTreeWalker(item, NodeFilter.SHOW_TEXT);
      while (walker.nextNode() && ranges.length < most) {
        const node = walker.currentNode, text = node.data.toLowerCase();
        if (text.length !== node.length) continue;
        for (const word of words) {
          for (let at = text.indexOf(word); at >= 0 && ranges.length < most; at = text.indexOf(word, at + word.length)) {
            const range = new Range();
            range.setStart(node, at);
            range.setEnd(node, at + word.length);
            ranges.push(range);
          }
        }
      }
    }
    if (ranges.length) CSS.highlights.set("found", new Highlight(...ranges));
  };

  const search = () => {
    const words = wordsOf(field.value);
    let count = 0;
    items.forEach((item, number) => {
      const matches = words.every((word) => textOf(number).includes(word));
      item.hidden = !matches;
      count += matches;
      const row = rowOf(item);
      if (row) row.hidden = !matches;
    });
    for (const other of all("span.row:not(.chain), .gap")) other.hidden = words.length > 0;
    for (const part of parts) {
      part.hidden = words.length > 0 && !part.querySelector(":scope > .item:not([hidden]), :scope > a.row:not([hidden]), :scope > :is(.part, .run):not([hidden])");
      part.classList.toggle("cut", part.querySelector(":scope > [hidden]") !== null);
      if (words.length && !part.hidden) part.open = true;
      const heading = part.querySelector(":scope > summary > span.row");
      if (heading) heading.hidden = false;
    }
    found.textContent = words.length ? `${count} of ${items.length}` : "";
    mark(words);
  };

  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(search, items.length > most ? 250 : 0);
  });
  addEventListener("keydown", (event) => {
    const isTyping = event.target === field;
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      field.focus();
    } else if (event.key === "Escape" && isTyping) {
      field.value = "";
      search();
      field.blur();
    }
  });

  fold.addEventListener("click", () => {
    const isOpen = fold.textContent === "Fold all";
    for (const folded of [...items, ...parts]) folded.open = !isOpen;
    fold.textContent = isOpen ? "Unfold all" : "Fold all";
  });

  const reveal = () => {
    const target = document.getElementById(location.hash.slice(1));
    for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
    if (target) target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  addEventListener("beforeprint", () => { for (const part of all("details")) part.open = true; });
  if (location.hash) reveal();

  const stand = (item) => {
    const row = rowOf(item);
    if (!row || row === here) return;
    here?.classList.remove("here");
    (here = row).classList.add("here");
    if (tree.scrollHeight <= tree.clientHeight) return;
    const top = row.getBoundingClientRect().top - tree.getBoundingClientRect().top + tree.scrollTop;
    if (top < tree.scrollTop + 28 || top > tree.scrollTop + tree.clientHeight - 56) tree.scrollTop = top - tree.clientHeight / 3;
  };
  if (items.length <= most) {
    const seen = new Set();
    const watcher = new IntersectionObserver((entries) => {
      for (const entry of entries) seen[entry.isIntersecting ? "add" : "delete"](entry.target);
      const first = items.find((item) => seen.has(item));
      if (first) stand(first);
    }, { rootMargin: "0px 0px -60% 0px" });
    for (const item of items) watcher.observe(item);
  }
})();
