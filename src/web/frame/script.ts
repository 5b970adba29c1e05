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
  const place = (y) => {
    const target = document.getElementById(location.hash.slice(1));
    if (y !== undefined) return scrollTo(0, y);
    if (!target) return scrollTo(0, 0);
    target.scrollIntoView();
    target.focus();
  };
  addEventListener("scrollend", keep);
  addEventListener("pagehide", keep);
  addEventListener("load", () => {
    if (history.state) place(history.state.y);
  });
  const show = (text, address, y) => {
    const next = new DOMParser().parseFromString(text, "text/html");
    const frame = ["header.top", "main"].map((part) => [
      document.querySelector(part),
      next.querySelector(part),
    ]);
    if (frame.some(([old, fresh]) => !old || !fresh)) return location.assign(address);
    if (y === undefined) {
      keep();
      history.pushState(null, "", address);
    }
    document.title = next.title;
    for (const [old, fresh] of frame) old.replaceWith(document.adoptNode(fresh));
    const main = document.querySelector("main");
    main.focus({ preventScroll: true });
    place(y);
  };
  const go = async (address, y) => {
    const mine = ++turn;
    document.documentElement.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(address, { headers: { accept: "text/html" } });
      const type = answer.headers.get("content-type") || "";
      const text = type.startsWith("text/html") && answer.ok ? await answer.text() : undefined;
      if (mine !== turn) return;
      if (text === undefined) location.assign(address);
      else show(text, answer.url + new URL(address).hash, y);
    } catch {
      location.assign(address);
    } finally {
      document.documentElement.removeAttribute("aria-busy");
    }
  };
  const isOurs = (url) => url.origin === location.origin;
  addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || event.defaultPrevented || link.target || link.hasAttribute("download")) return;
    const url = new URL(link.href);
    if (!isOurs(url) || link.type || (base(url.href) === base(location.href) && url.hash)) return;
    event.preventDefault();
    go(url.href);
  });
  addEventListener("submit", (event) => {
    const form = event.target;
    const url = new URL(form.action);
    if (event.defaultPrevented || form.method !== "get" || !isOurs(url)) return;
    event.preventDefault();
    const given = [...new FormData(form)].filter(([, value]) => value !== "");
    url.search = new URLSearchParams(given).toString();
    go(url.href);
  });
  addEventListener("popstate", (event) => go(location.href, event.state?.y ?? 0));
})();
`;
