"use strict";
// One script for three pages: an exported file, which holds everything; the list of sessions and a session of
// `seqthink web`, which ask for what they show. No text ever becomes markup: elements are made one by one.
(() => {
  const kind = document.body.dataset.page;
  const get = (id) => document.getElementById(id);
  const all = (selector, from = document) => Array.from(from.querySelectorAll(selector));
  const SVG = "http://www.w3.org/2000/svg";

  const put = (element, values) => {
    for (const [name, value] of Object.entries(values)) {
      const isAbsent = value === null || value === undefined || (value === false && !name.startsWith("aria-"));
      if (isAbsent) element.removeAttribute(name);
      else if (element.getAttribute(name) !== `${value}`) element.setAttribute(name, value);
    }
    return element;
  };
  const make = (tag, values = {}, ...children) => {
    const element = put(document.createElement(tag), values);
    element.append(...children.filter((child) => child || child === 0));
    return element;
  };
  const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
  const rough = (seconds) => {
    const [size, sign] = [[86400, "d"], [3600, "h"], [60, "m"], [1, "s"]].find(([size]) => seconds >= size) ?? [1, "s"];
    return `${Math.floor(Math.max(0, seconds) / size)} ${sign}`;
  };
  const draw = (tag, values, ...children) => {
    const element = put(document.createElementNS(SVG, tag), values);
    element.append(...children);
    return element;
  };

  // Node trees: `"text"` or `[tag, attributes, ...children]`. What is not in the table becomes text.

  const ELEMENTS = Object.assign(Object.create(null), {
    a: "class href", blockquote: "", br: "", code: "", dd: "", del: "class", details: "class id open", div: "aria-label class role tabindex",
    dl: "", dt: "", em: "", g: "class", header: "", hr: "", ins: "class", li: "", ol: "start", p: "class id",
    path: "class d", pre: "class", rect: "class height width", s: "", section: "class", span: "class", strong: "",
    summary: "", svg: "aria-hidden class height preserveAspectRatio viewBox width", table: "class", tbody: "",
    td: "class", th: "class", thead: "", tr: "", ul: "class",
  });
  const DRAWN = new Set(["g", "path", "rect", "svg"]);
  const ANCHOR = /^#?[tae](\d{1,15})$/;
  const PREFIX = /^\/[\w-]{22}$/;

  const build = (node, rename = {}) => {
    if (!Array.isArray(node)) return document.createTextNode(`${node}`);
    const [tag, attributes, ...children] = node;
    const allowed = ELEMENTS[tag];
    if (allowed === undefined) return document.createTextNode(children.filter((child) => typeof child === "string").join(""));
    const element = DRAWN.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(rename[tag] ?? tag);
    for (const name of allowed ? allowed.split(" ") : []) {
      const value = attributes[name];
      if (typeof value !== "string" || (name === "href" && (rename.a || !ANCHOR.test(value)))) continue;
      element.setAttribute(name, value);
    }
    for (const child of children) element.append(build(child, rename));
    return element;
  };

  // Words that were searched for, marked without a change of the text.

  const MAX_MARKED = 2000;

  const wordsOf = (typed) => {
    const words = typed.split(/\s+/).filter((word) => word && !/^(is:|#)/.test(word));
    const hasCapital = words.some((word) => word !== word.toLowerCase());
    return { words, fold: hasCapital ? (text) => text : (text) => text.toLowerCase() };
  };
  const markWords = (roots, { words, fold }) => {
    if (!globalThis.CSS?.highlights) return;
    CSS.highlights.delete("found");
    const ranges = [];
    for (const root of words.length ? roots : []) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (walker.nextNode() && ranges.length < MAX_MARKED) {
        const node = walker.currentNode, text = fold(node.data);
        if (text.length !== node.length) continue;
        for (const word of words) {
          for (let at = text.indexOf(word); at >= 0 && ranges.length < MAX_MARKED; at = text.indexOf(word, at + word.length)) {
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

  // Keys: what they do, and the page that says so.

  const actions = new Map();
  const helpGroups = [];
  const keys = (title, ...entries) => {
    helpGroups.push([title, entries]);
    for (const [names, , act] of entries) for (const name of act ? names.split(" ") : []) actions.set(name, act);
  };
  const SIGNS = [
    ["●", "a thought"], ["✓", "the final thought"], ["↺", "a revision; its arrow leads to what it revises"],
    ["↻ by 6", "revised by thought 6"], ["5→6", "the estimate changed here"], ["○", "expected, by the estimate"],
    ["◂ name", "brings back a branch"], ["✗", "a call that was refused"], ["!71 ✓92", "what an audit came to"],
    ["≈", "something is odd here"], ["»", "a note from the user"], ["+", "a context item"], ["›", "what the user asked"],
    ["◇", "native reasoning"], ["•", "what an agent said between two calls"], ["↶", "takes something back, in its own words"],
    ["→", "what was done between two thoughts"], ["→ … ✗1", "how many of these calls failed"], ["▲", "a session that needs you"],
  ];
  const NAMES = { space: "Space", PageDown: "PgDn", PageUp: "PgUp", ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" };
  let dialog = null;

  const showHelp = () => {
    if (!dialog) {
      const close = make("button", { class: "tool", type: "button", "aria-label": "Close, Esc" }, "Esc");
      const sections = helpGroups.map(([title, entries]) => make("section", {}, make("h3", {}, title), make("dl", {},
        ...entries.filter(([, words]) => words).flatMap(([names, words]) => [
          make("dt", {}, ...names.split(" ").map((name) => make("kbd", {}, NAMES[name] ?? name))), make("dd", {}, words),
        ]))));
      const signs = make("section", {}, make("h3", {}, "Signs"), make("dl", {},
        ...SIGNS.flatMap(([sign, words]) => [make("dt", {}, sign), make("dd", {}, words)])));
      dialog = make("dialog", { "aria-label": "Keys and signs" },
        make("header", {}, make("h2", {}, "Keys and signs"), close), make("div", { class: "columns" }, ...sections, signs));
      close.addEventListener("click", () => dialog.close());
      dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
      document.body.append(dialog);
    }
    if (dialog.open) dialog.close();
    else dialog.showModal();
  };

  addEventListener("keydown", (event) => {
    document.body.dataset.keys = "";
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const on = event.target, name = event.key === " " ? "space" : event.key;
    const isOver = document.querySelector("dialog[open]");
    if (isOver) {
      if (name === (isOver === dialog ? "?" : "o")) isOver.close();
      return;
    }
    if (on.matches?.("input[type=search]")) return;
    if (on.matches?.("button, summary, a[href]") && (name === "space" || name === "Enter")) return;
    if (on.matches?.("[type=range], [role=slider]") && /^(Arrow|Page|Home|End|Enter)/.test(name)) return;
    if (on.closest?.("#thought, main .item") && /^(Arrow|Page|Home|End)/.test(name) && kind === "session") return;
    const act = actions.get(name);
    if (act && act(event) !== false) event.preventDefault();
  });

  const field = get("find"), found = get("found");
  let typing = 0;
  const onSearch = (search, { wait, leave }) => {
    field.addEventListener("input", () => {
      clearTimeout(typing);
      typing = setTimeout(search, wait());
    });
    field.addEventListener("keydown", (event) => {
      if (event.isComposing) return;
      if (event.key === "Escape") {
        field.value = "";
        search();
        leave();
      } else if (event.key === "Enter" || (event.key === "ArrowDown" && kind === "list")) {
        event.preventDefault();
        clearTimeout(typing);
        Promise.resolve(search()).then(() => leave(true));
      }
    });
  };
  const focusSearch = () => {
    field.focus();
    field.select();
  };

  // Asking the server.

  const banner = get("banner");
  let standing = ""; // what is said while there is nothing else
  const say = (news) => {
    const words = news || standing;
    if (banner.textContent !== words) banner.textContent = words;
    banner.hidden = !words;
  };
  const setStanding = (words) => {
    const isSaid = banner.hidden || banner.textContent === standing;
    standing = words;
    if (isSaid) say("");
  };
  // What concerns one move of the reader is said for a moment.
  const PASSING_MS = 6000;
  const CHANGE_MS = 40_000, MAX_OPEN_FILES = 4; // a list of more is read first
  let passing = 0;
  const sayInPassing = (words) => {
    clearTimeout(passing);
    say(words);
    passing = setTimeout(() => { if (banner.textContent === words) say(""); }, PASSING_MS);
  };
  const engineWords = (trouble) => (trouble ? `${trouble[0].toUpperCase()}${trouble.slice(1)}. This page goes on as soon as it is there.` : "");
  const clockNow = () => new Date().toTimeString().slice(0, 5);
  let lostSince = "", isRefused = false;

  const lost = () => {
    lostSince ||= clockNow();
    say(`The server is gone since ${lostSince}. This page goes on when it is back.`);
  };
  // Each start of the server has a path of its own. The page that its link opened keeps it where only this host and
  // port can read it, so that pages of an earlier start go on, too.
  let prefix = document.body.dataset.prefix ?? "";
  const refused = () => {
    isRefused = true;
    prefix = PREFIX.exec(keep("prefix"))?.[0] ?? prefix;
    say("The server was started again, or this page's cookie is gone: press Enter where seqthink runs, and open the link that it prints.");
  };
  const answered = () => {
    if (lostSince || isRefused) say("");
    lostSince = "";
    isRefused = false;
  };
  // A server that does not answer is as good as gone; a search may take long.
  const LATE_MS = 10000, LATE_SEARCH_MS = 120000;
  const COOKIES = "This browser sends more cookies than the server takes: delete those of this address.";
  let listenAgain = () => {};
  const ask = async (path, signal, lateMs = LATE_MS) => {
    const late = AbortSignal.timeout(lateMs), request = { credentials: "same-origin", headers: { Accept: "application/json" } };
    let answer, content;
    try {
      answer = await fetch(prefix + path, { ...request, signal: signal ? AbortSignal.any([signal, late]) : late });
      content = await (answer.ok ? answer.json() : answer.json().catch(() => ({})));
    } catch (error) {
      if (error.name !== "AbortError") lost();
      if (error.name === "TimeoutError") listenAgain();
      throw error;
    }
    if (answer.status === 401 || answer.status === 403) refused();
    else answered();
    if (answer.ok) return content;
    const { error } = content;
    throw Object.assign(new Error(error || (answer.status === 431 ? COOKIES : "The server cannot answer that.")), { status: answer.status });
  };
  const quietly = (promise) => promise.catch((error) => {
    if (error.status && ![401, 403, 503].includes(error.status)) sayInPassing(error.message);
    else if (!error.status && !["AbortError", "TimeoutError", "TypeError"].includes(error.name)) throw error;
    return null;
  });

  // One task at a time: called again meanwhile, it runs once more, with what holds then.
  const oneAtATime = (task) => {
    let isRunning = false, isDue = false;
    return async () => {
      isDue = true;
      if (isRunning) return;
      isRunning = true;
      try {
        while (isDue) {
          isDue = false;
          await quietly(task());
        }
      } finally {
        isRunning = false;
      }
    };
  };

  const wait = (ms, signal) => new Promise((done) => {
    setTimeout(done, ms);
    signal?.addEventListener("abort", done);
  });
  // Waits until something can have been painted; a page that is not looked at paints nothing.
  const frame = () => Promise.race([new Promise(requestAnimationFrame), wait(AROUND_MS)]);

  // Hints at news. A page that is not looked at gives its connection back, and asks now and then.
  const RETRY_MS = 2000, HIDDEN_MS = 15000;
  const listen = (path, hear) => {
    let source = null, timer = 0, hasOpened = false;
    const later = (ms) => {
      clearTimeout(timer);
      timer = setTimeout(open, ms);
    };
    const open = () => {
      source?.close();
      source = null;
      if (document.hidden) {
        hear("changed", null);
        return later(HIDDEN_MS);
      }
      source = new EventSource(prefix + path);
      for (const name of ["changed", "restarted", "gone"]) {
        source.addEventListener(name, (event) => {
          let news = null;
          try { news = JSON.parse(event.data); } catch { news = null; }
          hear(name, news);
        });
      }
      source.onopen = () => {
        answered();
        hear(hasOpened ? "again" : "changed", null);
        hasOpened = true;
      };
      source.onerror = () => {
        const isAnswered = source?.readyState === EventSource.CLOSED; // refused, or too many readers: ask instead
        if (isAnswered) later(RETRY_MS);
        if (isAnswered || !lostSince) hear("changed", null);
      };
    };
    listenAgain = () => later(RETRY_MS);
    document.addEventListener("visibilitychange", () => later(document.hidden ? 1000 : 0));
    addEventListener("pagehide", () => source?.close());
    addEventListener("pageshow", (event) => { if (event.persisted) open(); });
    open();
  };

  const keep = (name, value) => {
    try {
      if (value === undefined) return localStorage.getItem(`seqthink.${name}`);
      localStorage.setItem(`seqthink.${name}`, value);
    } catch { /* a browser that keeps nothing */ }
    return null;
  };

  // The exported file.

  const filePage = () => {
    if (!field) return;
    const fold = get("fold"), tree = get("tree");
    const items = all("main .item"), parts = all(".part, .run").reverse();
    const texts = [];
    let here = null, chosen = null, rows = null;
    const rowOf = (item) => (rows ??= new Map(all("a.row", tree).map((row) => [row.getAttribute("href"), row]))).get(`#${item.id}`);

    get("tools").hidden = false;
    const textOf = (number) => (texts[number] ??= items[number].textContent);

    const search = () => {
      const folded = (text) => text.toLowerCase();
      const words = folded(field.value).split(/\s+/).filter(Boolean);
      let count = 0;
      items.forEach((item, number) => {
        const text = words.length ? folded(textOf(number)) : "";
        const matches = words.every((word) => text.includes(word));
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
      markWords(items.filter((item) => !item.hidden), { words, fold: folded });
    };
    onSearch(search, {
      wait: () => (items.length > MAX_MARKED ? 250 : 0),
      leave: (isEntered) => {
        field.blur();
        if (isEntered) go(items.find((item) => !item.hidden));
      },
    });

    const foldAll = (isFolded) => {
      for (const part of [...items, ...parts]) part.open = !isFolded;
      fold.textContent = isFolded ? "Unfold all" : "Fold all";
    };
    fold.addEventListener("click", () => foldAll(fold.textContent === "Fold all"));

    const reveal = () => {
      const target = get(location.hash.slice(1));
      for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
      if (target) {
        target.scrollIntoView();
        if (target.matches(".item")) chosen = target;
      }
    };
    addEventListener("hashchange", reveal);
    addEventListener("beforeprint", () => { for (const part of all("details")) part.open = true; });
    if (location.hash) reveal();

    const moveHere = (item) => {
      const row = rowOf(item);
      if (!row || row === here) return;
      here?.classList.remove("here");
      (here = row).classList.add("here");
      if (tree.scrollHeight <= tree.clientHeight) return;
      const top = row.getBoundingClientRect().top - tree.getBoundingClientRect().top + tree.scrollTop;
      if (top < tree.scrollTop + 28 || top > tree.scrollTop + tree.clientHeight - 56) tree.scrollTop = top - tree.clientHeight / 3;
    };
    const isInView = (item) => {
      const { top, bottom } = item.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    };
    const seen = new Set();
    if (items.length <= MAX_MARKED) {
      const watcher = new IntersectionObserver((entries) => {
        for (const entry of entries) seen[entry.isIntersecting ? "add" : "delete"](entry.target);
        const first = chosen && isInView(chosen) ? chosen : items.find((item) => seen.has(item));
        if (first) moveHere(first);
      }, { rootMargin: "0px 0px -60% 0px" });
      for (const item of items) watcher.observe(item);
    }

    const go = (item) => {
      if (!item) return;
      if (location.hash === `#${item.id}`) reveal();
      else location.hash = item.id;
      chosen = item;
      moveHere(item);
    };
    const goBy = (step, matches = () => true) => {
      let number = items.indexOf(chosen ?? items.find((item) => seen.has(item)) ?? null);
      if (number < 0 && step < 0) number = items.length;
      for (number += step; items[number]; number += step) {
        if (!items[number].hidden && matches(items[number])) return go(items[number]);
      }
    };
    const isMark = (item) => item.matches(".refused") || item.parentElement?.querySelector(":scope > .item") === item
      || item.querySelector("summary :is(.revision, .estimate, .good, .bad)");
    keys("Thoughts",
      ["j k", "next, previous thought", null],
      ["g G", "first, last thought", null],
      ["[ ]", "previous, next mark: a branch, a revision, an estimate, a verdict, a refused call", null],
      ["H L", "fold all, unfold all", null]);
    keys("Search", ["/", "search the texts", focusSearch], ["n N", "next, previous match", null]);
    keys("Page", ["?", "keys and signs", showHelp]);
    for (const [name, act] of Object.entries({
      j: () => goBy(1), k: () => goBy(-1), n: () => goBy(1), N: () => goBy(-1),
      g: () => go(items.find((item) => !item.hidden)), G: () => go(items.findLast((item) => !item.hidden)),
      "[": () => goBy(-1, isMark), "]": () => goBy(1, isMark), H: () => foldAll(true), L: () => foldAll(false),
    })) actions.set(name, act);
  };

  // The list of sessions.

  const listPage = () => {
    const main = get("sessions"), facts = get("facts");
    const known = new Map();
    const asked = new URLSearchParams(location.search);
    const repository = asked.get("repo") ?? "", by = asked.get("by") ?? "";
    const query = (more) => {
      const fields = Object.entries({ repo: repository, by, ...more }).filter(([, value]) => value !== "");
      return fields.length ? `?${new URLSearchParams(fields)}` : "";
    };
    let typed = "", hits = [], isSearching = false, hitsAbort = null, answer = null;

    const link = (key, seq) => `${prefix}/s/${encodeURIComponent(key)}${seq ? `#e${seq}` : ""}`;
    const sessionRow = (one) => {
      const text = JSON.stringify(one);
      const old = known.get(one.key);
      if (old?.text === text) return old.row;
      const row = old?.row ?? make("a", { class: "one", href: link(one.key) });
      const { role, sign, word } = one.state;
      row.replaceChildren(
        make("span", { class: `sign ${role}`, "aria-hidden": "true" }, sign),
        make("div", { class: "top" }, make("b", {}, (one.isPinned ? "⚑ " : "") + one.name), make("span", { class: role }, word),
          make("span", { class: "muted client" }, [one.tags.join(" "), one.repository, one.client, one.machine, one.context].filter(Boolean).join(" · "))),
        make("div", { class: "side" }, one.unread ? make("b", {}, `${one.unread} new`) : "", make("span", {}, one.progress || one.thoughts || "")),
        make("div", { class: "what" }, one.question
          ? make("span", { class: "warn" }, one.question)
          : make("span", { class: "text" }, one.title || "no thoughts yet"), !one.question && one.newest && one.newest !== one.title ? ` · ${one.newest}` : ""),
        make("div", { class: "age", title: one.last }, one.age));
      known.set(one.key, { text, row });
      return row;
    };
    const hitRow = (hit, index) => {
      const isMore = hits[index - 1]?.key === hit.key;
      return make("a", { class: isMore ? "one more" : "one", href: link(hit.key, hit.seq) },
        make("span", { class: "sign muted" }, `${hit.number || ""}`),
        isMore ? "" : make("div", { class: "top" }, make("b", {}, hit.name)), isMore ? "" : make("div", { class: "side" }, hit.age),
        make("div", { class: "hit-text" }, hit.before, make("mark", {}, hit.match), hit.after));
    };
    const group = (title, role, count, rows, states = [], about = "") => {
      const id = `g-${`${title} ${about}`.trim().replace(/\W+/g, "-")}`;
      return make("section", { class: "group", "aria-labelledby": id },
        make("h2", { id, class: role }, title, make("span", {}, `${count}`),
          about ? make("span", { class: "muted about" }, about) : "",
          ...states.map((state) => make("span", { class: state.role }, state.text))), ...rows);
    };
    const start = ({ place, waiting, unseen }) => make("div", { class: "start" }, make("h2", {}, unseen ? "Looking for sessions" : "No sessions yet"),
      ...(unseen ? [] : waiting ? [make("p", {}, ...waiting.split("`").map((part, index) => (index % 2 ? make("code", {}, part) : part)))]
        : [make("p", {}, "They appear here by themselves, as soon as an agent thinks. To connect your agents:"),
          make("pre", {}, "seqthink setup"), make("p", {}, "To see one at once, a scripted agent that thinks for a minute:"),
          make("pre", {}, "seqthink demo")]),
      place ? make("p", { class: "place" }, `Looking in ${place}`) : "");

    const choices = () => {
      const other = by === "repository" ? make("a", { href: `${prefix}/${query({ by: "" })}` }, "by need") : make("a", { href: `${prefix}/${query({ by: "repository" })}` }, "by repository");
      const only = [answer.filter, repository && `repo:${repository}`].filter(Boolean).join(" ");
      return make("p", { class: "choices" }, other, only ? make("span", {}, `only ${only}`) : "",
        repository ? make("a", { href: `${prefix}/${query({ repo: "" })}` }, "all repositories") : "");
    };

    const show = () => {
      if (!answer) return;
      const focused = document.activeElement?.closest?.("a.one")?.getAttribute("href");
      const sections = answer.groups.map(({ title, about, role, states, sessions }) => group(title, role, sessions.length, sessions.map(sessionRow), states, about));
      if (answer.groups.length || repository) sections.unshift(choices());
      if (typed) {
        const state = isSearching ? `${hits.length} …` : `${hits.length}`;
        sections.push(group("in the texts", "muted", state, hits.map(hitRow)));
        if (!isSearching && !hits.length && !answer.groups.length) sections.push(make("p", { class: "muted" }, "Nothing matches."));
      } else if (!answer.groups.length && repository) sections.push(make("p", { class: "muted" }, "Nothing matches."));
      else if (!answer.groups.length && !answer.error) sections.push(start(answer));
      if (answer.more) sections.push(make("p", { class: "place" }, `${answer.more} older sessions are not shown: filter to find them.`));
      else if (answer.groups.length && answer.place) sections.push(make("p", { class: "place" }, answer.place));
      if (answer.unseen) sections.push(make("p", { class: "place" }, `${answer.unseen[0].toUpperCase()}${answer.unseen.slice(1)}.`));
      main.replaceChildren(...sections);
      if (focused) all("a.one", main).find((row) => row.getAttribute("href") === focused)?.focus({ preventScroll: true });
      if (!typed) {
        const total = answer.groups.reduce((sum, { sessions }) => sum + sessions.length, answer.more ?? 0);
        const counted = answer.counts.map(({ role, text }) => make("span", { class: role }, text));
        facts.replaceChildren(make("span", {}, plural(total, "session")), ...counted);
      }
      setStanding(answer.error || engineWords(answer.trouble));
      document.title = [...answer.counts.map(({ text }) => text), "Sessions · seqthink"].join(" ");
    };
    const load = oneAtATime(async () => {
      answer = await ask(`/sessions${query({ q: typed })}`);
      show();
    });
    const searchTexts = async () => {
      hitsAbort?.abort();
      hits = [];
      isSearching = typed.length > 1;
      if (!isSearching) return;
      const { signal } = (hitsAbort = new AbortController());
      let after = 0;
      try {
        while (hits.length < 200) {
          const part = await ask(`/find${query({ q: typed, after: `${after}` })}`, signal, LATE_SEARCH_MS);
          hits.push(...part.hits);
          after = part.next;
          isSearching = !part.is_done;
          show();
          if (part.is_done) return;
        }
      } finally {
        if (!signal.aborted) {
          isSearching = false;
          show();
        }
      }
    };
    const search = () => {
      if (typed === field.value.trim()) return null;
      typed = field.value.trim();
      quietly(searchTexts());
      return load();
    };
    const move = (step, isFar) => {
      const rows = all("a.one", main);
      const at = rows.indexOf(document.activeElement);
      const next = isFar ? (step > 0 ? rows.length - 1 : 0) : at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step;
      rows[next]?.focus();
      rows[next]?.scrollIntoView({ block: "nearest" });
    };
    onSearch(search, { wait: () => 150, leave: (isEntered) => { field.blur(); if (isEntered) move(1); } });
    keys("Sessions",
      ["j ArrowDown", "next session", () => move(1)],
      ["k ArrowUp", "previous session", () => move(-1)],
      ["g", "first", () => move(-1, true)], ["G", "last", () => move(1, true)],
      ["Enter", "open it", null],
      ["!", "the first that needs you", () => main.querySelector(".group .one .warn")?.closest("a").focus()],
      ["/", "filter the list, and search the texts of all sessions", focusSearch],
      ["Escape", "", () => document.activeElement?.blur()],
      ["?", "keys and signs", showHelp]);
    get("help").addEventListener("click", showHelp);
    listen("/events", () => { load(); });
  };

  // One session.

  const ROW = 28, OVERSCAN = 10, MAX_WINDOW = 200, MAX_KEPT = 4000;
  const CALM_MS = 500;
  const AROUND_MS = 100; // the pause between two drawings of what surrounds the rows
  const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16], IDLE_SECONDS = 4, MAX_LATE_SECONDS = 0.5;

  const sessionPage = () => {
    const base = `/s/${document.body.dataset.session}`; // its path in an address, below the prefix
    const box = get("rows"), sizer = get("sizer"), thoughtBox = get("thought"), news = get("news");
    const plot = get("plot"), chart = get("chart"), time = get("time");

    let view = keep("view") === "timeline" ? "timeline" : "tree";
    let at = null; // the number of journal lines shown; null is the present
    let shown = "", folds = new Set();
    let present = null, state = null; // of the whole session, and at the playhead
    let count = 0, entries = 0, digits = 0, rows = new Map(), rowOf = new Map(), slots = new Map();
    let isFollowing = true, heldAt = 0;
    let newestSeen = 0, grownAt = 0, isCalm = false; // a new row lights up, unless they come one after the other
    let selected = "", selectedSeq = 0, awaited = null;
    let isDiff = false, shownCard = "", cardSeq = 0, card = null;

    const question = (from, position = at) => {
      const parts = [`view=${view}`];
      if (position !== null) parts.push(`at=${position}`);
      if (folds.size && view === "tree") parts.push(`fold=${[...folds].join(",")}`);
      if (shown) parts.push(`shown=${shown}`);
      return [...parts, ...from].join("&");
    };
    const shownPart = () => (shown ? [`shown=${shown}`] : []);
    const atPart = (position = at) => (position === null ? [] : [`at=${position}`]).concat(shownPart());

    // Rows. What is read stays where it is: rows are asked for with the key of the one at the top.

    let placed = 0; // where the script put the scroll bar: what is elsewhere, the reader did
    const scrollTo = (top) => {
      box.scrollTop = top;
      placed = box.scrollTop;
    };
    // Where there are fewer rows, the browser moves the scroll bar: that is not the reader.
    const noteClamp = (change) => {
      const isOurs = Math.abs(box.scrollTop - placed) <= 1;
      change();
      if (isOurs) placed = box.scrollTop;
    };
    const PADDING = 8;
    const firstVisible = () => Math.max(0, Math.floor((box.scrollTop - PADDING) / ROW));
    const visibleCount = () => Math.ceil(box.clientHeight / ROW) + 1;

    const show = () => {
      const first = Math.max(0, firstVisible() - OVERSCAN), last = Math.min(count, firstVisible() + visibleCount() + OVERSCAN);
      const wanted = new Map();
      for (let number = first; number < last; number++) {
        const row = rows.get(number), key = row?.key ?? `?${number}`;
        let slot = slots.get(key);
        if (slot) slots.delete(key);
        else slot = { element: make("div", { class: "slot" }), number: -1, text: "", place: "", isHere: null };
        place(slot, row, number);
        wanted.set(key, slot);
      }
      for (const { element } of slots.values()) element.remove();
      slots = wanted;
      put(box, { "aria-activedescendant": slots.has(selected) ? `row-${selected}` : null });
      if (marked.words.length) paintFound();
    };
    const place = (slot, row, number) => {
      const { element } = slot;
      if (slot.number !== number) {
        element.style.transform = `translateY(${number * ROW}px)`;
        slot.number = number;
      }
      const text = row?.text ?? "?", isHere = row !== undefined && row.key === selected;
      if (slot.text !== text) {
        slot.text = text;
        slot.place = "";
        slot.isHere = null;
        if (row) {
          put(element, { class: "slot", id: `row-${row.key}`, role: "treeitem" });
          element.replaceChildren(build(row.node, { a: "span" }));
          if (row.seq > newestSeen && isCalm && at === null) element.classList.add("fresh");
        } else put(element, { class: "slot wait", role: "none" });
      }
      // A thought more changes these of all its siblings, and nothing else of them.
      if (row && slot.place !== row.place) {
        slot.place = row.place;
        put(element, {
          "aria-level": row.level, "aria-posinset": row.position || null, "aria-setsize": row.size > 0 ? row.size : -1,
          "aria-expanded": row.is_open,
        });
      }
      if (slot.isHere !== isHere) {
        put(element, { "aria-selected": row ? isHere : null });
        slot.isHere = isHere;
      }
      element.classList.toggle("hit", !!row?.seq && hitSet.has(row.seq));
      if (!element.isConnected) sizer.append(element);
    };
    const learn = (answer) => {
      for (const [index, row] of answer.rows.entries()) {
        const { length } = `${row.node.find?.((part) => part[1]?.class === "n")?.[2] ?? ""}`;
        if (length) digits = Math.max(digits, length, 2); // no column of numbers while nothing has one
        row.text = JSON.stringify(row.node);
        row.place = `${row.level} ${row.position} ${row.size} ${row.is_open}`;
        rows.set(answer.from + index, row);
        rowOf.set(row.key, answer.from + index);
      }
      sizer.style.setProperty("--digits", `${digits}ch`);
    };
    const forgetFarRows = () => {
      if (rows.size <= MAX_KEPT) return;
      const middle = firstVisible();
      for (const [number, row] of rows) {
        if (Math.abs(number - middle) < MAX_KEPT / 4) continue;
        rows.delete(number);
        if (rowOf.get(row.key) === number) rowOf.delete(row.key);
      }
    };
    const resize = (answer) => {
      const isShorter = answer.count < count;
      count = answer.count;
      entries = answer.entries;
      const grow = () => { sizer.style.height = `${count * ROW}px`; };
      if (isShorter) noteClamp(grow);
      else grow();
      const hasNone = count === 0 && !!state;
      get("empty").hidden = !hasNone;
      if (hasNone) get("empty").textContent = state.remark || (state.trouble ? "Nothing of it was fetched yet." : state.isLive ? "No thoughts yet. They appear here as they come." : "No thoughts.");
    };
    const askRows = (from, to, { keepKey, signal, position = at } = {}) => {
      const start = Math.max(0, from), stop = Math.min(start + MAX_WINDOW, Math.max(start + 1, to));
      return ask(`${base}/rows?${question([`from=${start}`, `to=${stop}`, ...(keepKey ? [`keep=${keepKey}`] : [])], position)}`, signal);
    };
    const askAround = (number) => askRows(number - MAX_WINDOW / 2, number + MAX_WINDOW / 2);

    let ledTo = 0; // the newest thought when the rows were asked for last, if they follow it

    // Draws the rows again, since the session grew or the question changed.
    const refresh = oneAtATime(async () => {
      const asked = question([]).replace(/&?at=\d+/, "");
      filling?.abort();
      const position = at; // of all that is asked now; the playhead may go on meanwhile
      const shown = position !== null || !present ? await loadState(position) : present;
      const newest = shown.newest;
      const isLed = isFollowing, wasAwaited = awaited;
      ledTo = isLed ? newest : 0;
      const aim = isLed ? newest && `t${newest}` : typeof awaited === "string" ? awaited : null;
      const top = firstVisible(), topKey = rows.get(top)?.key;
      const keepKey = aim || topKey;
      const guess = rowOf.get(aim) ?? (aim && position === null && isLed ? count : top);
      const reach = visibleCount() + OVERSCAN; // no more than may be in view: this happens at each thought
      let answer = await askRows(guess - reach, guess + reach, { keepKey, position });
      let target = keepKey ? answer.keep : null;
      if (target === null && aim && isLed) target = await placeOf(Number(aim.slice(1)), position);
      const shift = aim ? 0 : target === null ? 0 : target - top;
      const needed = Math.max(0, aim && target !== null ? target - visibleCount() : top + shift);
      const isShort = needed < answer.from || Math.min(answer.count, needed + 2 * visibleCount()) > answer.from + answer.rows.length;
      const more = isShort && target !== null ? await askRows(needed - OVERSCAN, needed + 2 * reach, { position }) : null;
      noticeScroll(); // the browser tells of it at the next frame
      // The reader moved meanwhile, or asks something else.
      if (asked !== question([]).replace(/&?at=\d+/, "") || isLed !== isFollowing || wasAwaited !== awaited) return void refresh();
      const topNow = firstVisible(), keyNow = rows.get(topNow)?.key;
      rows = new Map();
      rowOf = new Map();
      if (more) answer = { ...more, keep: answer.keep };
      learn(answer);
      resize(answer);
      isCalm = newestSeen > 0 && performance.now() - grownAt > CALM_MS;
      const drift = rowOf.has(keyNow) ? rowOf.get(keyNow) - topNow : shift;
      if (aim && target !== null) {
        const row = rows.get(target);
        if (row) choose(row, { isQuiet: true });
        bringIntoView(target);
        awaited = null;
      } else if (drift) scrollTo(box.scrollTop + drift * ROW);
      chooseAwaited();
      show();
      const arrived = Math.max(newestSeen, ...answer.rows.map((row) => row.seq));
      if (arrived > newestSeen) grownAt = performance.now();
      newestSeen = arrived;
      fill();
      showNew();
      await frame();
    });
    const placeOf = async (seq, position = at) => {
      const { row, seq: shownSeq } = await ask(`${base}/place?${question([`seq=${seq}`], position)}`).catch((error) => {
        if (error.status === 404) return { row: null };
        throw error;
      });
      standsFor = shownSeq || seq;
      return row;
    };
    let standsFor = 0; // the entry whose row stands for the one that was asked for last: a verdict has none of its own
    const bringIntoView = (number) => {
      const top = number * ROW + PADDING, height = box.clientHeight, margin = Math.min(2 * ROW, height / 4);
      if (top < box.scrollTop + (number ? margin : 0)) scrollTo(Math.max(0, top - (height > 12 * ROW ? 3 * ROW : margin)));
      else if (top + ROW + margin > box.scrollTop + height) scrollTo(top + ROW + margin - height);
    };

    // Rows that came into view: one request at a time, and none for what has gone by.
    let filling = null, fillRange = [0, 0];
    const fill = async () => {
      const first = firstVisible(), last = Math.min(count, first + visibleCount());
      let from = first;
      while (from < last && rows.has(from)) from++;
      if (from >= last) return;
      if (filling) {
        if (fillRange[0] < last && fillRange[1] > first) return;
        filling.abort();
      }
      const mine = (filling = new AbortController()), before = entries, asked = question([]);
      const start = Math.max(0, Math.floor(first - MAX_WINDOW / 3));
      fillRange = [start, start + MAX_WINDOW];
      const answer = await quietly(askRows(...fillRange, { signal: mine.signal }));
      if (filling === mine) filling = null;
      if (!answer || asked !== question([])) return;
      if (answer.entries !== before || answer.count !== count) {
        refresh();
        return;
      }
      learn(answer);
      forgetFarRows();
      chooseAwaited();
      show();
      fill();
    };
    let isFramed = false;
    // A box that became higher is scrolled by the browser: that is not the reader, either.
    let heightNow = box.clientHeight;
    const noticeScroll = () => {
      const isResized = box.clientHeight !== heightNow;
      heightNow = box.clientHeight;
      if (Math.abs(box.scrollTop - placed) <= 1) return;
      placed = box.scrollTop;
      if (!isResized) hold();
    };
    box.addEventListener("scroll", () => {
      noticeScroll();
      if (isFramed) return;
      isFramed = true;
      requestAnimationFrame(() => {
        isFramed = false;
        show();
        fill();
      });
    }, { passive: true });
    new ResizeObserver(() => {
      placed = box.scrollTop;
      heightNow = box.clientHeight;
      if (isFollowing && rowOf.has(selected)) bringIntoView(rowOf.get(selected));
      show();
      fill();
    }).observe(box);

    // Following, and what came while it does not.

    const hold = () => {
      if (!isFollowing) return;
      isFollowing = false;
      heldAt = present?.thoughts ?? 0;
      showNew();
    };
    const follow = () => {
      isFollowing = true;
      awaited = null;
      follows += 1;
      moves += 1;
      if (at !== null && !clock.isPlaying) seek(null);
      isDiff = false;
      refresh();
      showNewest();
      showNew();
    };
    const showNew = () => {
      const missed = present && !isFollowing && at === null ? present.thoughts - heldAt : 0;
      const button = get("new");
      button.hidden = missed <= 0;
      if (missed > 0) button.textContent = `${missed} new · f`;
      put(get("follow"), { "aria-pressed": isFollowing && at === null });
      get("follow").textContent = at !== null ? (present?.isLive ? "Live" : "End") : isFollowing ? "Following" : "Follow";
      get("follow").hidden = at === null && !!present && !present.isLive;
    };

    // Selection.

    const choose = (row, { isQuiet = false, isJump = false } = {}) => {
      selected = row.key;
      // What is expected has no text: the newest thought stands for it.
      const seq = row.seq || (row.key.startsWith("e") && (at === null ? present : state)?.newest);
      if (!seq) return;
      selectedSeq = seq;
      if (!isQuiet) showCard(seq);
      if (!isQuiet) remember(isJump);
    };
    const chooseRow = (number) => {
      if (number < 0 || number >= count) return;
      hold();
      moves += 1;
      bringIntoView(number);
      awaited = number;
      chooseAwaited();
      show();
      fill();
    };
    // The row of a number that the reader went to, once it has arrived.
    const chooseAwaited = () => {
      if (typeof awaited !== "number" || !rows.has(awaited)) return;
      choose(rows.get(awaited));
      awaited = null;
    };
    // Moves that wait for an answer are made in the order of the keys; those before the reader follows again are dropped.
    let moving = Promise.resolve(), follows = 0;
    let moves = 0; // what is on its way to a thought gives way to a later move
    const inTurn = (move) => {
      const since = follows;
      const run = async () => {
        const row = since === follows ? await currentRow() : null;
        if (since === follows) await move(row);
      };
      return (moving = moving.then(run, run));
    };
    const currentRow = async () => {
      if (typeof awaited === "number") return awaited;
      if (rowOf.has(selected)) return rowOf.get(selected);
      const row = selectedSeq ? await quietly(placeOf(selectedSeq)) : null;
      return row ?? firstVisible();
    };
    const chooseBy = (step) => {
      hold();
      inTurn((row) => chooseRow(Math.max(0, Math.min(count - 1, row + step))));
    };

    // A thought by its number in the journal: from a link, a search, the chart. What it is folded in is opened.
    const goTo = async (seq, { isJump = true } = {}) => {
      hold();
      awaited = null;
      const mine = ++moves;
      const findPlace = async () => {
        const number = await quietly(placeOf(seq));
        return mine === moves ? number : undefined; // undefined: the reader went elsewhere
      };
      let number = await findPlace();
      if (number === null && at !== null) {
        seek(null);
        isFollowing = false;
        number = await findPlace();
      }
      if (number === undefined) return;
      if (number === null) return lostSince || isRefused || sayInPassing("This session has no such thought.");
      seq = standsFor;
      showCard(seq);
      selectedSeq = seq;
      if (isJump) remember(true);
      for (let tries = 0; tries < 12; tries++) {
        number = await findPlace();
        if (number === null || number === undefined) return;
        let row = rows.get(number);
        if (!row) {
          const answer = await quietly(askAround(number));
          if (!answer || mine !== moves) return;
          if (answer.entries !== entries || answer.count !== count) {
            rows = new Map();
            rowOf = new Map();
            resize(answer);
          }
          learn(answer);
          row = rows.get(number);
        }
        if (row && row.seq !== seq && row.is_open === false) {
          folds.delete(row.fold);
          rows = new Map();
          rowOf = new Map();
          continue;
        }
        if (row) choose(row, { isQuiet: true });
        bringIntoView(number);
        show();
        fill();
        return;
      }
    };
    const openFold = (row, isOpen) => {
      if (!row.fold) return;
      if (isOpen) folds.delete(row.fold);
      else folds.add(row.fold);
      hold();
      moves += 1;
      refresh();
    };
    const toggle = (row) => openFold(row, row.is_open === false);

    sizer.addEventListener("click", (event) => {
      const slot = event.target.closest(".slot");
      const [key] = [...slots].find(([, { element }]) => element === slot) ?? [];
      const row = rows.get(rowOf.get(key));
      if (!row || getSelection()?.toString()) return;
      hold();
      awaited = null;
      moves += 1;
      choose(row, { isJump: true });
      show();
      if (row.is_open !== null) toggle(row);
      else if (row.seq) document.body.classList.add("reading");
    });

    // The thought beside the rows.

    const hint = (words) => thoughtBox.replaceChildren(make("p", { class: "hint" }, words));
    const showNewest = () => {
      const newest = (at === null ? present : state)?.newest;
      if (newest) showCard(newest, at === null ? null : state.at);
      else if (state) hint("No thought has arrived yet.");
    };
    const cardPath = (seq) => `${base}/thought/${seq}?${[...atPart(cardAt), ...(isDiff ? ["diff=1"] : [])].join("&")}`;
    let cardAt = null; // the position at which the card is asked for: there is such a thought
    let cardAsked = ""; // the card that is shown or on its way, with the session's version
    const loadCard = oneAtATime(async () => {
      const seq = cardSeq, path = cardPath(seq), asked = `${path} ${present?.version}`;
      if (!seq || asked === cardAsked) return;
      const { signal } = (card = new AbortController());
      cardAsked = asked;
      const answer = await ask(path, signal).catch((error) => {
        cardAsked = "";
        throw error;
      });
      if (signal.aborted || path !== cardPath(seq) || (seq !== cardSeq && !isFollowing)) return;
      const text = JSON.stringify(answer);
      if (text !== shownCard) {
        shownCard = text;
        drawCard(seq, answer);
      }
      if (isFollowing) await wait(AROUND_MS, signal); // no reader keeps pace with more
    });
    const showCard = (seq, position = at) => {
      if (!isFollowing) {
        if (seq !== cardSeq) isDiff = false;
        card?.abort();
      }
      cardSeq = seq;
      cardAt = position;
      loadCard();
    };
    let drawnSeq = 0;
    const drawCard = (seq, { node, previous, next, is_revision: isRevision, has_calls: hasCalls }) => {
      thoughtBox.replaceChildren(item(node));
      if (seq !== drawnSeq) thoughtBox.scrollTop = 0;
      drawnSeq = seq;
      const step = (id, other) => {
        get(id).disabled = !other;
        get(id).dataset.seq = other || "";
      };
      step("earlier", previous);
      step("later", next);
      get("diff").hidden = !isRevision;
      get("files").hidden = !hasCalls;
      put(get("diff"), { "aria-pressed": isDiff });
      paintFound();
      pointAt(seq);
    };
    // A thought alone does not fold: its details become an article, its summary a heading.
    const item = (node) => {
      if (!Array.isArray(node) || node[0] !== "details") {
        const other = build(node);
        other.removeAttribute?.("id"); // an anchor of the exported file; here the address means the row
        return other;
      }
      const article = make("article", { class: node[1].class });
      for (const child of node.slice(2)) {
        if (!Array.isArray(child) || child[0] !== "summary") article.append(build(child));
        else {
          const head = make("div", { class: "head" });
          for (const part of child.slice(2)) head.append(build(part));
          article.append(head);
        }
      }
      return article;
    };
    thoughtBox.addEventListener("click", (event) => {
      const anchor = ANCHOR.exec(event.target.closest("a[href]")?.getAttribute("href") ?? "");
      if (!anchor) return;
      event.preventDefault();
      goTo(Number(anchor[1]));
    });
    for (const id of ["earlier", "later"]) get(id).addEventListener("click", () => goTo(Number(get(id).dataset.seq)));
    const toggleDiff = () => {
      if (get("diff").hidden) return;
      hold();
      isDiff = !isDiff;
      showCard(cardSeq);
    };
    get("diff").addEventListener("click", toggleDiff);

    // What calls changed in files: asked for when the reader wants it, and gone when the reader has seen it.
    const CHANGE_SIGNS = { same: "", removed: "-", added: "+", left: "⋯" };
    const changedLine = ([kind, number, text]) => make("div", { class: `line ${kind}` },
      make("span", { class: "n" }, number ? `${number}` : ""), make("span", { class: "sign" }, CHANGE_SIGNS[kind]), make("code", {}, text));
    const changedEdit = ({ clock, tool, facts, is_failed: isFailed, lines }) => make("div", { class: isFailed ? "edit failed" : "edit" },
      make("p", {}, make("time", {}, clock), make("b", {}, tool), ...facts.map((fact) => make("span", {}, fact))), ...lines.map(changedLine));
    const changedFile = ({ path, counts, edits }, isOpen) => {
      const file = make("details", {}, make("summary", {}, make("b", {}, path), make("span", {}, counts)), ...edits.map(changedEdit));
      file.open = isOpen;
      return file;
    };
    const showFiles = async () => {
      if (get("files").hidden) return;
      hold();
      const close = make("button", { class: "tool", type: "button", "aria-label": "Close, Esc" }, "Esc");
      const title = make("h2", {}, "Changed files"), content = make("div", {}, make("p", {}, "Reading the transcript…"));
      const page = make("dialog", { class: "changes", "aria-label": "Changed files" }, make("header", {}, title, close), content);
      const asked = new AbortController();
      close.addEventListener("click", () => page.close());
      page.addEventListener("click", (event) => { if (event.target === page) page.close(); });
      page.addEventListener("close", () => {
        asked.abort();
        page.remove();
      });
      document.body.append(page);
      page.showModal();
      const answer = await ask(`${base}/change/${cardSeq}?${atPart(cardAt).join("&")}`, asked.signal, CHANGE_MS)
        .catch((error) => (error.name === "AbortError" ? null : { title: "Changed files", files: [], says: error.message }));
      if (!answer) return;
      title.textContent = answer.title;
      const files = answer.files.map((file) => changedFile(file, answer.files.length <= MAX_OPEN_FILES));
      content.replaceChildren(...(answer.says ? [make("p", {}, answer.says)] : []), ...files);
    };
    get("files").addEventListener("click", showFiles);
    const copyLink = async () => {
      const link = `${location.origin}${base}${cardSeq ? `#e${cardSeq}` : ""}`;
      let words = "The link is copied";
      try { await navigator.clipboard.writeText(link); } catch { words = link; }
      get("copy").textContent = words === link ? "No clipboard" : "Copied";
      announce(words);
      setTimeout(() => { get("copy").textContent = "Copy link"; }, 1500);
    };
    get("copy").addEventListener("click", copyLink);
    const leaveReading = () => {
      document.body.classList.remove("reading");
      box.focus({ preventScroll: true });
    };
    get("back").addEventListener("click", leaveReading);
    for (const name of ["wheel", "pointerdown", "touchmove", "keydown"]) {
      thoughtBox.addEventListener(name, (event) => { if (name !== "keydown" || /^(Arrow|Page|Home|End)/.test(event.key)) hold(); }, { passive: true });
    }

    // The address names the thought; a jump is a step of the browser's history.

    let remembering = 0;
    const remember = (isJump) => {
      clearTimeout(remembering);
      const write = () => {
        const url = `${location.pathname}${selectedSeq ? `#e${selectedSeq}` : ""}`;
        if (isJump && location.hash !== `#e${selectedSeq}`) history.pushState({ seq: selectedSeq }, "", url);
        else history.replaceState({ seq: selectedSeq }, "", url);
      };
      if (isJump) write();
      else remembering = setTimeout(write, 300);
    };
    const seqOfHash = () => Number(ANCHOR.exec(location.hash)?.[1] ?? 0);
    addEventListener("popstate", () => {
      const seq = seqOfHash();
      if (seq) goTo(seq, { isJump: false });
      else follow();
    });

    // State, above.

    const asked = { present: 0, past: 0 }, answered = { present: 0, past: 0 };
    const loadState = async (position = at) => {
      const tense = position === null ? "present" : "past", choice = shown, number = ++asked[tense];
      const answer = await ask(`${base}/state?${atPart(position).join("&")}`);
      if (choice !== shown) return loadState(position); // the reader wants to see more or less by now
      if (number < answered[tense]) return answer; // a later question was answered first
      answered[tense] = number;
      if (position === null) present = answer;
      if ((position === null) === (at === null)) state = answer;
      if (state) showState();
      return answer;
    };
    const IS_GONE = "the journal is gone", GONE = "The journal is gone. What was read of it stays here.";
    const showState = () => {
      const { name, state: { role, sign, word }, facts, progress, error, machine, remark } = state;
      const trouble = engineWords((present ?? state).trouble);
      get("name").textContent = name;
      const said = [progress, ...facts, machine, remark].filter(Boolean);
      get("facts").replaceChildren(make("b", { class: role }, `${sign} ${word}`), ...said.map((fact) => make("span", {}, fact)));
      const total = present?.thoughts ?? state.thoughts;
      document.title = `${sign} ${name}${progress ? ` · ${progress}` : ""}`;
      get("facts").title = [`${sign} ${word}`, ...said].join(" · ");
      setStanding(remark === IS_GONE ? GONE : trouble || (error ? `The server of this session stopped with an error: ${error}` : ""));
      const end = present?.entries ?? state.entries, value = at ?? end;
      put(time, { min: Math.min(state.first, end), max: Math.max(end, 1) });
      time.value = value;
      time.style.setProperty("--share", `${(100 * (value - time.min)) / Math.max(1, time.max - time.min)}%`);
      const words = at === null ? (state.thoughts && state.unit === "thought" ? plural(total, "thought") : "") : `${state.thoughts} of ${total}`;
      get("position").textContent = [words, state.clock].filter(Boolean).join(" · ");
      put(time, { "aria-valuetext": `${at === null ? "the newest: " : ""}${state.unit} ${state.thoughts} of ${total}, ${state.clock}` });
      showNow();
      showNew();
      showPlaying();
    };

    // What the agent does now, if that is what is shown; the page counts the seconds itself.
    let counting = 0;
    const showNow = () => {
      clearInterval(counting);
      const line = get("now"), said = at === null ? state.now : null;
      line.classList.toggle("asks", said?.role === "warn"); // a question is there to be read, all of it
      line.hidden = !state.isLive; // it keeps its place while there is nothing to say: the rows stay where they are
      if (!said) return line.replaceChildren();
      const took = make("span"), startedAt = performance.now() - 1000 * said.seconds;
      const object = said.object && make("span", { class: said.isPath ? "object path" : "object" }, make("bdi", {}, said.object));
      line.replaceChildren(make("span", {}, "now"), make("span", { class: said.role }, said.doing), object, said.also ? make("span", {}, `+${said.also}`) : "", took);
      const count = () => { took.textContent = `· ${rough((performance.now() - startedAt) / 1000)}`; };
      count();
      counting = setInterval(count, 1000);
    };

    // What arrives is said, politely and rarely.
    const SAY_MS = 10000;
    let saidAt = 0, unsaid = 0, saying = 0;
    const announce = (words) => { news.textContent = words; };
    const sayNews = (before) => {
      unsaid += Math.max(0, present.thoughts - before.thoughts);
      const isOver = before.state.word !== present.state.word && !present.isLive;
      clearTimeout(saying);
      if (!unsaid && !isOver) return;
      const wait = isOver ? 0 : saidAt + SAY_MS - performance.now();
      if (wait > 0) {
        saying = setTimeout(() => { if (present) sayNews(present); }, wait); // it may be the last for long
        return;
      }
      announce([unsaid ? plural(unsaid, `new ${present.unit}`) : "", isOver ? present.state.word : ""].filter(Boolean).join(", "));
      unsaid = 0;
      saidAt = performance.now();
    };

    // Time: a position is a number of journal lines; playing keeps the journal's own pace, a gap cut to the idle limit.

    const clock = { isPlaying: false, speed: 1, startedAt: 0, share: 0, timer: 0, steps: [], isAsking: false };
    clock.speed = SPEEDS.includes(Number(keep("speed"))) ? Number(keep("speed")) : 1;
    const seconds = () => performance.now() / 1000;
    const endOf = () => present?.entries ?? 0;

    const seek = (position) => {
      at = position === null || position >= endOf() ? null : position;
      clock.startedAt = seconds();
      clock.share = 0;
      if (at === null && clock.isPlaying) clock.isPlaying = false;
      isDiff = false;
      if (at === null && present) {
        state = present;
        showState();
      }
      moved();
    };
    const moved = () => {
      refresh();
      loadChart();
      followCard();
    };
    const followCard = oneAtATime(async () => {
      if (at !== null || !present) await loadState();
      if (isFollowing) showNewest();
      else if (cardSeq) showCard(cardSeq);
    });
    const nextStep = () => {
      const now = at ?? endOf();
      while (clock.steps.length && clock.steps[0][0] <= now) clock.steps.shift();
      return clock.steps[0];
    };
    const askSteps = async () => {
      if (clock.isAsking) return;
      clock.isAsking = true;
      const { steps } = clock; // others by the time of the answer, if it plays from elsewhere or shows more or less
      const last = clock.steps.at(-1)?.[0] ?? at ?? endOf();
      const answer = await quietly(ask(`${base}/positions?${[`after=${last}`, ...shownPart()].join("&")}`));
      clock.isAsking = false;
      if (!answer) return;
      if (steps === clock.steps) steps.push(...answer.positions.filter(([position]) => position > last));
      tick();
    };
    const gapOf = (step) => Math.min(Math.max(0, step[1]) / clock.speed, IDLE_SECONDS);
    const passed = () => {
      const step = nextStep();
      if (!clock.isPlaying || !step || !gapOf(step)) return clock.share;
      return Math.min(1, clock.share + (seconds() - clock.startedAt) / gapOf(step));
    };
    const tick = () => {
      clearTimeout(clock.timer);
      if (!clock.isPlaying) return;
      let isMoved = false;
      for (let steps = 0; steps < 1000; steps++) {
        const step = nextStep();
        if (!step) break;
        const now = seconds(), wait = gapOf(step) * (1 - clock.share) - (now - clock.startedAt);
        if (wait > 0) {
          clock.timer = setTimeout(tick, Math.min(1000 * wait, 500));
          break;
        }
        at = step[0];
        clock.startedAt = Math.max(now + wait, now - MAX_LATE_SECONDS);
        clock.share = 0;
        isMoved = true;
      }
      if (at === null || at >= endOf()) return void follow(seek(null));
      if (isMoved) moved();
      if (clock.steps.length < 100 && (clock.steps.at(-1)?.[0] ?? 0) < endOf()) askSteps();
    };
    const play = () => {
      if (at === null || at >= endOf()) {
        if (present?.isLive) return isFollowing ? hold() : follow();
        at = state?.first ?? 0;
        moved();
      }
      isFollowing = true;
      clock.steps = [];
      clock.isPlaying = true;
      clock.startedAt = seconds();
      followCard();
      tick();
      askSteps();
      showPlaying();
    };
    const pause = () => {
      clock.share = passed();
      clock.isPlaying = false;
      showPlaying();
    };
    const playOrPause = () => (clock.isPlaying ? pause() : play());
    const showPlaying = () => {
      put(get("play"), { "aria-label": clock.isPlaying ? "Pause" : "Play" });
      put(get("playing"), { d: clock.isPlaying ? "M4 2.5h3v11h-3zM9.5 2.5h3v11h-3z" : "M4 2.5v11l9-5.5z" });
      get("speed").textContent = `${clock.speed}×`;
      put(get("speed"), { "aria-label": `Speed: ${clock.speed} times` });
    };
    const changeSpeed = (step) => {
      clock.share = passed();
      clock.startedAt = seconds();
      clock.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(clock.speed) + step))];
      keep("speed", clock.speed);
      showPlaying();
      tick();
    };
    // One step after the other: each begins where the one before has led.
    let stepping = Promise.resolve();
    const step = (to) => {
      pause();
      const since = follows, run = () => (since === follows ? stepOnce(to, since) : null);
      stepping = stepping.then(run, run);
    };
    const stepOnce = async (to, since) => {
      const answer = await quietly(ask(`${base}/step?${[`at=${at ?? endOf()}`, `to=${to}`, ...shownPart()].join("&")}`));
      if (!answer || since !== follows) return;
      isFollowing = true;
      seek(answer.at);
      announce(answer.says);
      if (answer.says) sayInPassing(answer.says);
      else if (!lostSince && !isRefused) say("");
    };
    get("play").addEventListener("click", playOrPause);
    get("speed").addEventListener("click", () => (clock.speed === SPEEDS.at(-1) ? changeSpeed(-SPEEDS.length) : changeSpeed(1)));
    get("follow").addEventListener("click", () => (isFollowing && at === null ? hold() : toPresent()));
    get("new").addEventListener("click", () => toPresent());
    const toPresent = () => {
      clock.isPlaying = false;
      at = null;
      if (present) state = present;
      if (location.hash) history.pushState({ seq: 0 }, "", location.pathname);
      follow();
      loadChart();
      if (state) showState();
    };
    time.addEventListener("input", () => {
      pause();
      isFollowing = true;
      seek(Number(time.value));
    });

    let marks = [], marksOf = "";
    const loadMarks = oneAtATime(async () => {
      ({ marks } = await ask(`${base}/marks?${shownPart().join("")}`));
      const text = JSON.stringify(marks);
      if (text !== marksOf) showMarks();
      marksOf = text;
    });
    const showMarks = () => {
      const line = get("marks"), width = line.clientWidth;
      line.replaceChildren();
      const labels = marks.map(([share, role, says]) => {
        const tick = make("i", { class: role }), label = make("span", { class: role }, says.slice(says.indexOf(": ") + 1).trim());
        const left = Math.max(0, share * width - 4);
        tick.style.left = `${100 * share}%`;
        label.style.left = `${left}px`;
        line.append(tick, label);
        return { label, left };
      });
      // Only the browser knows how wide a word is.
      const ends = labels.map(({ label, left }) => left + label.offsetWidth);
      let free = 0;
      labels.forEach(({ label, left }, place) => {
        if (left < free || ends[place] > width + 8) label.remove();
        else free = ends[place] + 8;
      });
    };
    new ResizeObserver(showMarks).observe(get("marks"));

    // The chart of the estimate.

    let points = [], isPointing = -1;
    const compact = new Intl.NumberFormat("en", { notation: "compact" });
    const shortNumber = (number) => (number < 10000 ? `${number}` : compact.format(number));
    const leftAt = ([number, estimate, , , left]) => left ?? Math.max(0, estimate - number);
    const chartValue = (point) => {
      const left = leftAt(point);
      return `thought ${point[0]} of ${left ? "~" : ""}${point[1]} · ${left || "none"} left`;
    };
    const loadChart = oneAtATime(async () => {
      const answer = await ask(`${base}/chart?${atPart().join("&")}`);
      points = answer.points;
      showChart();
      await wait(AROUND_MS);
    });
    const showChart = () => {
      const left = points.map(leftAt);
      const hasShape = new Set(left).size > 1 && points.some((point) => point[3]);
      chart.hidden = !hasShape;
      if (!hasShape) return;
      const width = plot.clientWidth || 400, height = plot.clientHeight || 120;
      const ahead = state && !state.isLive && at === null ? 0 : left.at(-1);
      const places = points.length + Math.min(ahead, points.length), top = Math.max(...left, 1);
      const tickStep = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000].find((one) => top / one <= 3) ?? 10 ** Math.ceil(Math.log10(top / 3));
      const ceiling = Math.ceil(top / tickStep) * tickStep;
      const x0 = 26, x = (place) => x0 + (place * (width - x0 - 8)) / Math.max(1, places - 1), y = (value) => 6 + (1 - value / ceiling) * (height - 26);
      const svg = draw("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
      for (let value = 0; value <= ceiling; value += tickStep) {
        svg.append(draw("path", { class: "grid", d: `M${x0} ${y(value)}H${width - 8}` }),
          draw("text", { x: x0 - 8, y: y(value) + 4, "text-anchor": "end" }, shortNumber(value)));
      }
      const steps = left.map((value, place) => (place ? `H${x(place).toFixed(1)}V${y(value).toFixed(1)}` : `M${x(0)} ${y(value).toFixed(1)}`)).join("");
      svg.append(draw("path", { class: "fall", d: `${steps}V${y(0)}H${x0}Z` }), draw("path", { class: "level", d: steps }));
      if (ahead) svg.append(draw("path", { class: "ahead", d: `M${x(points.length - 1)} ${y(ahead)}L${x(places - 1)} ${y(Math.max(0, ahead - (places - points.length)))}` }));
      let free = 0;
      points.forEach(([number], place) => {
        if (points[place][3] && points.length < 120) svg.append(draw("circle", { class: "change", cx: x(place), cy: y(left[place]), r: 3.5 }));
        if (x(place) < free) return;
        svg.append(draw("text", { x: x(place), y: height - 4, "text-anchor": "middle" }, shortNumber(number)));
        free = x(place) + 40;
      });
      const end = points.at(-1)[0] + ahead;
      if (ahead && ahead <= points.length && x(places - 1) > free) {
        svg.append(draw("text", { x: x(places - 1), y: height - 4, "text-anchor": "middle" }, shortNumber(end)));
      }
      const pointed = isPointing >= 0 && isPointing < points.length ? isPointing : points.findIndex((point) => point[2] === cardSeq);
      if (pointed >= 0) {
        svg.append(draw("path", { class: "rule", d: `M${x(pointed)} 4V${y(0)}` }), draw("circle", { class: "at", cx: x(pointed), cy: y(left[pointed]), r: 4.5 }));
      }
      plot.replaceChildren(svg);
      plot.placeAt = (px) => Math.max(0, Math.min(points.length - 1, Math.round(((px - x0) / (width - x0 - 8)) * (places - 1))));
      const words = chartValue(points[pointed >= 0 ? pointed : points.length - 1]);
      get("value").textContent = words;
      put(plot, { "aria-valuemax": points.length, "aria-valuenow": (pointed >= 0 ? pointed : points.length - 1) + 1, "aria-valuetext": words });
    };
    const pointAt = () => { if (isPointing < 0) showChart(); };
    const point = (place) => {
      isPointing = place;
      showChart();
    };
    plot.addEventListener("pointermove", (event) => point(plot.placeAt?.(event.clientX - plot.getBoundingClientRect().left) ?? -1));
    plot.addEventListener("pointerleave", () => point(-1));
    plot.addEventListener("blur", () => point(-1));
    plot.addEventListener("click", () => { if (points[isPointing]) goTo(points[isPointing][2]); });
    plot.addEventListener("keydown", (event) => {
      const now = isPointing >= 0 ? isPointing : Number(plot.getAttribute("aria-valuenow") ?? 1) - 1, last = points.length - 1;
      const moves = { ArrowLeft: now - 1, ArrowDown: now - 1, ArrowRight: now + 1, ArrowUp: now + 1, PageUp: now + 10, PageDown: now - 10, Home: 0, End: last };
      if (event.key === "Enter" && points[now]) goTo(points[now][2]);
      else if (event.key in moves) point(Math.max(0, Math.min(last, moves[event.key])));
      else return;
      event.preventDefault();
    });
    new ResizeObserver(showChart).observe(plot);

    // Search.

    let marked = { words: [], fold: (text) => text }, hits = [], hitSet = new Set(), finding = null, isMore = false;
    const paintFound = () => markWords([sizer, thoughtBox], marked);
    const search = async () => {
      finding?.abort();
      const typed = field.value.trim();
      marked = wordsOf(typed);
      hits = [];
      if (typed) {
        const mine = (finding = new AbortController());
        const answer = await quietly(ask(`${base}/find?${[`q=${encodeURIComponent(typed)}`, ...atPart()].join("&")}`, mine.signal, LATE_SEARCH_MS));
        if (!answer || finding !== mine) return;
        hits = answer.seqs;
        isMore = answer.isMore;
      }
      hitSet = new Set(hits);
      showFound();
      show();
      paintFound();
    };
    const showFound = () => {
      const index = hits.indexOf(cardSeq);
      const total = `${hits.length}${isMore ? "+" : ""}`;
      found.textContent = !field.value.trim() ? "" : index >= 0 ? `${index + 1} of ${total}` : hits.length ? total : "none";
    };
    const goToHit = (direction) => {
      if (!hits.length) return field.value ? undefined : focusSearch();
      const after = hits.findIndex((seq) => seq > cardSeq);
      const index = hits.indexOf(cardSeq);
      const next = direction > 0 ? (after < 0 ? 0 : after) : index >= 0 ? index - 1 : (after < 0 ? hits.length : after) - 1;
      const seq = hits.at(next % hits.length);
      return goTo(seq).then(showFound);
    };
    onSearch(search, {
      wait: () => 120,
      leave: (isEntered) => {
        box.focus({ preventScroll: true });
        if (isEntered && hits.length && !hitSet.has(cardSeq)) goToHit(1);
      },
    });

    // Views and keys.

    const showView = () => {
      put(get("tree"), { "aria-pressed": view === "tree" });
      put(get("timeline"), { "aria-pressed": view === "timeline" });
    };
    const setView = async (to) => {
      if (view === to) return;
      view = to;
      keep("view", view);
      showView();
      if (!isFollowing && selectedSeq) awaited = `t${selectedSeq}`;
      rows = new Map();
      rowOf = new Map();
      refresh();
    };
    get("tree").addEventListener("click", () => setView("tree"));
    get("timeline").addEventListener("click", () => setView("timeline"));
    get("help").addEventListener("click", showHelp);
    const showMore = async () => {
      const { choices } = state ?? { choices: [] };
      if (!choices.length) return;
      shown = choices[(choices.indexOf(state.shown) + 1) % choices.length];
      rows = new Map();
      clock.steps = [];
      if (await quietly(loadState()) && !isFollowing) heldAt = present?.thoughts ?? 0;
      moved();
      loadMarks();
    };
    const page = () => Math.max(1, visibleCount() - 3);
    const inward = (isOut) => () => inTurn((number) => {
      const row = rows.get(number);
      if (!row) return;
      if (isOut && row.is_open === true) toggle(row);
      else if (isOut) {
        let parent = number - 1;
        while (rows.has(parent) && rows.get(parent).level >= row.level) parent--;
        if (rows.has(parent)) chooseRow(parent);
      } else if (row.is_open === false) toggle(row);
      else if (row.is_open === true) chooseRow(number + 1);
    });
    const enter = () => inTurn((number) => {
      const row = rows.get(number);
      if (row?.is_open !== null && row?.fold) return toggle(row);
      document.body.classList.add("reading");
      thoughtBox.focus({ preventScroll: true });
    });
    keys("Rows",
      ["j ArrowDown", "next row", () => chooseBy(1)], ["k ArrowUp", "previous row", () => chooseBy(-1)],
      ["PageDown PageUp", "a page on, a page back", null],
      ["g Home", "first row", () => inTurn(() => chooseRow(0))], ["G End", "last row", () => inTurn(() => chooseRow(count - 1))],
      ["h ArrowLeft", "fold a branch, or go to its head", inward(true)], ["l ArrowRight", "unfold it", inward(false)],
      ["Enter", "fold a branch; read a thought", enter],
      ["f", "go to the newest thought and follow", () => toPresent()],
      ["t", "timeline, and back to the tree", () => setView(view === "tree" ? "timeline" : "tree")],
      ["v", "thoughts only, what agents said too, everything", showMore]);
    keys("The thought",
      ["d", "what a revision changed", toggleDiff], ["o", "what was changed in files", showFiles], ["Y", "copy a link to it", copyLink],
      ["/", "search the texts; is:revision, is:audit, #tag", focusSearch],
      ["n", "next hit", () => inTurn(() => goToHit(1))], ["N", "previous hit", () => inTurn(() => goToHit(-1))]);
    keys("Time",
      ["space", "play or pause; live: pause or follow", () => { stepping = stepping.then(playOrPause, playOrPause); }],
      [", .", "previous step, next step", null], ["[ ] ( )", "previous mark, next mark", null],
      ["+ - > <", "faster, slower", null], ["0 … 9", "jump to 0–90 %", null]);
    for (const [name, act] of Object.entries({
      PageDown: () => chooseBy(page()), PageUp: () => chooseBy(-page()),
      ",": () => step("previous"), ".": () => step("next"), "[": () => step("previous-mark"), "]": () => step("next-mark"),
      "(": () => step("previous-mark"), ")": () => step("next-mark"),
      "+": () => changeSpeed(1), "-": () => changeSpeed(-1), ">": () => changeSpeed(1), "<": () => changeSpeed(-1),
    })) actions.set(name, act);
    for (let tenth = 0; tenth <= 9; tenth++) actions.set(`${tenth}`, () => step(tenth));
    keys("Page",
      ["s", "all sessions", () => { location.href = `${prefix}/`; }], ["?", "keys and signs", showHelp],
      ["Escape", "back: out of the search, the changes, the thought", () => {
        if (isDiff) toggleDiff();
        else if (field.value) {
          field.value = "";
          search();
        } else leaveReading();
      }]);

    // News.

    const hear = async (name, hint) => {
      if (name === "gone") setStanding(GONE);
      if (name === "again") { // it may be another server, which counts from the start
        drawn = -1;
        hinted = 0;
        cardAsked = "";
        refresh();
      }
      if (name === "restarted") {
        at = null;
        clock.isPlaying = false;
        rows = new Map();
        present = stated = null;
        drawn = -1;
        hinted = 0;
        shownCard = cardAsked = "";
        folds = new Set();
        follow();
      }
      if (hint && present && at === null) present = { ...present, newest: hint.newest, entries: hint.entries, thoughts: hint.thoughts, version: hint.version };
      if (hint && !document.hidden && at === null) {
        hinted = hint.entries;
        refresh();
        if (isFollowing && hint.newest) showCard(hint.newest);
      }
      return catchUp();
    };
    // What surrounds the rows: it may be a moment behind them.
    let stated = null; // what the server said last
    let drawn = -1; // the version of the session that the chart and the marks are of
    let hinted = 0; // how many lines a hint has named: their rows are asked for already
    const catchUp = oneAtATime(async () => {
      const before = stated;
      const answer = stated = await loadState(null);
      if (before) sayNews(before);
      if (document.hidden || answer.version === drawn) return;
      drawn = answer.version;
      if (at === null) {
        const isBehind = isFollowing && answer.newest !== ledTo;
        if (isBehind || (answer.entries !== entries && answer.entries > hinted)) refresh();
        loadChart();
        followCard();
      }
      loadMarks();
      await wait(AROUND_MS);
    });

    showView();
    showPlaying();
    box.focus({ preventScroll: true });
    const OPENING_MS = 300;
    const start = async () => {
      const seq = seqOfHash();
      isFollowing = !seq;
      await quietly(loadState()).then((answer) => { if (!answer && !lostSince && !isRefused) get("name").textContent = "No such session"; });
      if (seq) {
        // A long session is read while it is shown.
        for (let before = -1; present && present.entries < seq && present.entries > before;) {
          before = present.entries;
          await wait(OPENING_MS);
          await quietly(loadState());
        }
        heldAt = present?.thoughts ?? 0;
        const number = await quietly(placeOf(seq));
        if (number !== null) awaited = `t${standsFor}`;
        await refresh();
        goTo(seq, { isJump: false });
      } else {
        refresh();
        followCard();
      }
      loadChart();
      loadMarks();
      listen(`${base}/events`, hear);
    };
    start();
  };

  if (prefix) keep("prefix", prefix);
  if (kind === "list") listPage();
  else if (kind === "session") sessionPage();
  else filePage();
})();
