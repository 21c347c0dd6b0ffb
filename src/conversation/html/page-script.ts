import { ownSource } from "./html-text.ts";

/** What a page can do beyond reading it: fold all, the other colors, the row of what is read. Without it all is there too. */
export const PAGE_SCRIPT = ownSource`
(() => {
	const root = document.documentElement;
	const nav = document.querySelector("nav");
	const contents = nav.querySelector(".contents");
	const narrow = matchMedia("(max-width: 900px)");
	const fit = () => { contents.open = !narrow.matches; };
	narrow.addEventListener("change", fit);
	fit();

	const bar = document.createElement("div");
	bar.className = "tools";
	const button = (text, title, press) => {
		const element = document.createElement("button");
		element.type = "button";
		element.textContent = text;
		element.title = title;
		element.addEventListener("click", () => press(element));
		bar.append(element);
	};
	const all = () => document.querySelectorAll("main details");
	let opened = false;
	button("unfold all", "Unfold, or fold, every step and thought", (element) => {
		opened = !opened;
		for (const one of all()) one.open = opened;
		element.textContent = opened ? "fold all" : "unfold all";
	});
	button("◐", "Light or dark", () => {
		const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
		root.dataset.theme = dark ? "light" : "dark";
	});
	nav.prepend(bar);

	const reveal = () => {
		const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
		if (!target) return;
		for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
		target.scrollIntoView();
	};
	// As a property: an entry may have the id of a function of the window, which would stand in its place.
	window.onhashchange = reveal;
	reveal();
	nav.addEventListener("click", (event) => {
		if (narrow.matches && event.target.closest("a")) contents.open = false;
	});

	let current;
	const mark = (id) => {
		const row = nav.querySelector('a[href="#' + id + '"]');
		if (!row || row === current) return;
		if (current) current.removeAttribute("aria-current");
		current = row;
		row.setAttribute("aria-current", "true");
		const turn = row.closest(".turn");
		const visibleRow = row.offsetParent === null && turn ? turn.querySelector("a") : row;
		if (visibleRow !== row) visibleRow.setAttribute("aria-current", "true"), current = visibleRow;
		const box = nav.getBoundingClientRect();
		const at = visibleRow.getBoundingClientRect();
		if (at.top < box.top || at.bottom > box.bottom) nav.scrollTop += at.top - box.top - box.height / 2;
	};
	const observer = new IntersectionObserver((changes) => {
		const top = changes.filter((one) => one.isIntersecting)[0];
		if (top && !narrow.matches) mark(top.target.id);
	}, { rootMargin: "0px 0px -85% 0px" });
	for (const entry of document.querySelectorAll("article.entry")) observer.observe(entry);
})();
`;
