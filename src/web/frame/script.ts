/**
 * Script of the pages, which also work without it: it fetches the next page and replaces the
 * content in place, which saves parsing the style sheet and redrawing the frame.
 */
export const script = `"use strict";
(() => {
  const base = (address) => address.split("#", 1)[0];
  let turn = 0;
  // Scroll positions are kept in the history, also for pages loaded in full.
  history.scrollRestoration = "manual";
  const keep = () => history.replaceState({ y: scrollY }, "");
  const lineOf = (element) => element?.closest?.("[id^=line-]");
  // An act on a line, or a tab of it, leaves the line or the next one where that line stood.
  const hold = (element) => {
    const line = lineOf(element);
    if (line) sessionStorage.setItem("top", line.getBoundingClientRect().top);
  };
  const place = (y) => {
    const target = document.getElementById(location.hash.slice(1));
    const top = sessionStorage.getItem("top");
    sessionStorage.removeItem("top");
    if (y !== undefined) return scrollTo(0, y);
    if (!target) return scrollTo(0, 0);
    const line = lineOf(target);
    if (top >= 0 && top !== null && line) scrollBy(0, line.getBoundingClientRect().top - top);
    else target.scrollIntoView();
    target.focus({ preventScroll: true });
  };
  addEventListener("scrollend", keep);
  addEventListener("pagehide", keep);
  addEventListener("load", () => {
    place(history.state?.y);
  });
  const show = (text, address, y, isLive) => {
    const { activeElement: old } = document;
    const next = new DOMParser().parseFromString(text, "text/html");
    const frame = ["header.top", "main"].map((part) => [
      document.querySelector(part),
      next.querySelector(part),
    ]);
    if (frame.some(([old, fresh]) => !old || !fresh)) return location.assign(address);
    if (isLive) history.replaceState({ y: scrollY }, "", address);
    else if (y === undefined) {
      keep();
      history.pushState(null, "", address);
    }
    document.title = next.title;
    for (const [stale, fresh] of frame) stale.replaceWith(document.adoptNode(fresh));
    const again = isLive && document.getElementById(old.id);
    if (again) {
      if (again.matches("input:not([type=checkbox], [type=radio])")) {
        again.value = old.value;
        again.setSelectionRange(old.selectionStart, old.selectionEnd);
      }
      return again.focus({ preventScroll: true });
    }
    const main = document.querySelector("main");
    main.focus({ preventScroll: true });
    place(y);
  };
  const go = async (address, y, isLive) => {
    const mine = ++turn;
    document.documentElement.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(address, { headers: { accept: "text/html" } });
      const type = answer.headers.get("content-type") || "";
      const text = type.startsWith("text/html") && answer.ok ? await answer.text() : undefined;
      if (mine !== turn) return;
      if (text === undefined) location.assign(address);
      else show(text, answer.url + new URL(address).hash, y, isLive);
    } catch {
      location.assign(address);
    } finally {
      document.documentElement.removeAttribute("aria-busy");
    }
  };
  const isOurs = (url) => url.origin === location.origin;
  // A click anywhere in a row of a list goes to its record.
  const rowLink = ({ target }) => {
    const isOwn = target.closest("a,button,input,select,textarea,label,summary");
    if (isOwn || String(getSelection()) !== "") return null;
    return target.closest(".cards tbody tr")?.querySelector("th a[href]");
  };
  addEventListener("click", (event) => {
    const link = event.target.closest("a[href]") || rowLink(event);
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || event.defaultPrevented || link.target || link.hasAttribute("download")) return;
    const url = new URL(link.href);
    if (!isOurs(url) || link.type || (base(url.href) === base(location.href) && url.hash)) return;
    event.preventDefault();
    hold(link);
    go(url.href);
  });
  let waits;
  const drop = () => {
    clearTimeout(waits);
    turn++;
  };
  const sendOf = (form, submitter, isLive) => {
    const url = new URL(form.action);
    const given = [...new FormData(form, submitter)].filter(([, value]) => value !== "");
    url.search = new URLSearchParams(given).toString();
    go(url.href, undefined, isLive);
  };
  addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || !isOurs(new URL(form.action))) return;
    drop();
    hold(form);
    if (form.method !== "get" || submitter?.formMethod === "post") return;
    event.preventDefault();
    sendOf(form, submitter, false);
  });
  // What a form comes to is shown anew when a field of it changes: at once after a choice, after a
  // pause while text is typed, and not between the two halves of a click on a button.
  addEventListener("input", ({ target }) => {
    const form = target.closest("form[data-live]");
    if (!form) return;
    clearTimeout(waits);
    const isChoice = target.matches("select, [type=checkbox], [type=radio]");
    waits = setTimeout(() => sendOf(form, undefined, true), isChoice ? 0 : 400);
  });
  addEventListener("pointerdown", ({ target }) => target.closest("button") && drop());
  addEventListener("popstate", (event) => go(location.href, event.state?.y ?? 0));
  addEventListener("click", ({ target }) => {
    const button = target.closest("[data-copy]");
    if (button) navigator.clipboard.writeText(button.dataset.copy).then(() => { button.textContent = "Copied"; });
  });
  // Keys for the lines of a bank, off where a field has the focus.
  const pairs = () => [...document.querySelectorAll(".pair")];
  const current = () => lineOf(document.activeElement) ?? pairs().find((each) => each.getBoundingClientRect().bottom > 0);
  const step = (by) => {
    const all = pairs();
    const at = document.activeElement.closest(".pair") ? all.indexOf(current()) + by : all.indexOf(current());
    all[Math.min(all.length - 1, Math.max(0, at))]?.focus();
  };
  const press = (selector) => current()?.querySelector(selector)?.click();
  const keys = {
    n: () => step(1),
    p: () => step(-1),
    u: () => document.querySelector(".said button, .lately button")?.click(),
    "?": () => {
      const list = document.getElementById("keys");
      list.open = !list.open;
      list.querySelector("summary").focus();
    },
    Enter: () => document.activeElement.matches(".pair") && press(".ok"),
  };
  for (const key of ["m", "t", "r", "l"]) keys[key] = () => press('[aria-keyshortcuts="' + key + '"]');
  // Keys of all pages with a search field, unless they are switched off.
  const home = () => document.querySelector(".owner a").href;
  const pages = { o: "", i: "invoices", b: "bills", k: "bank", r: "reports" };
  let isLeaving = false;
  const namesOfRows = "main tbody th a[href]";
  const walk = (by) => {
    const all = [...document.querySelectorAll(namesOfRows)];
    const at = all.indexOf(document.activeElement);
    all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))]?.focus();
  };
  const everywhere = {
    "/": () => document.getElementById("q").focus(),
    g: () => { isLeaving = true; },
    n: () => walk(1),
    p: () => walk(-1),
    "[": () => document.querySelector("main [rel=prev]")?.click(),
    "]": () => document.querySelector("main [rel=next]")?.click(),
    e: () => document.querySelector(".exports a")?.focus(),
    "?": () => go(home() + "keys"),
  };
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    const isSearch = target.id === "q";
    if (isSearch && key === "Escape") target.blur();
    if (key === "ArrowDown" || (key === "ArrowUp" && !isSearch)) {
      if (!isSearch && !target.matches(namesOfRows)) return;
      event.preventDefault();
      return walk(key === "ArrowDown" ? 1 : -1);
    }
    const isTyped = event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, [contenteditable]");
    const isOff = document.documentElement.dataset.keys === "off" || !document.getElementById("q");
    if (isTyped || isOff) return;
    if (isLeaving && Object.hasOwn(pages, key)) go(home() + pages[key]);
    const isPage = isLeaving && Object.hasOwn(pages, key);
    isLeaving = false;
    const ofPage = document.querySelector("#keys") && Object.hasOwn(keys, key) ? keys : everywhere;
    if (isPage || !Object.hasOwn(ofPage, key)) return;
    if (key !== "Enter" || target.matches(".pair")) event.preventDefault();
    ofPage[key]();
  });
})();
`;
