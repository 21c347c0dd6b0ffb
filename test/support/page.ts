import { conversationLeaf } from "../../src/conversation/entries/leaf.ts";
import { pageHtml } from "../../src/conversation/html/page-html.ts";
import { PAGE_SCRIPT } from "../../src/conversation/html/page-script.ts";
import { PAGE_STYLE } from "../../src/conversation/html/page-style.ts";
import { loadRenderers } from "../../src/conversation/render/renderers.ts";
import { type PreparedShare, prepareShare } from "../../src/conversation/share/prepare-share.ts";
import { runToEnd } from "../../src/shared/steps.ts";
import { readSession, type Session } from "../../src/store/read/read-session.ts";

/** What is shared of a session, all branches of it, or that of its leaf. */
export function sharedOf(session: Session, all = true): PreparedShare {
	const entryId = conversationLeaf(session) ?? "";
	return runToEnd(
		prepareShare({
			session,
			title: session.tree.name ?? "A session",
			entryId,
			all,
			allowed: new Set(),
			home: "/home/ada",
		}),
	);
}

/** The page of what is shared. */
export async function pageWith(prepared: PreparedShare): Promise<string> {
	const facts = { prepared, version: "1.2.3", now: Date.UTC(2026, 0, 5) };
	return [...pageHtml(facts, await loadRenderers())].join("");
}

/** The page of a session file. */
export async function pageOf(path: string, all = true): Promise<string> {
	return pageWith(sharedOf(await readSession(path), all));
}

/** Elements that a page may have, with their attributes. */
const ELEMENTS: Readonly<Record<string, readonly string[]>> = {
	a: ["class", "href", "title", "rel"],
	article: ["class", "id"],
	details: ["class", "open", "id"],
	div: ["class", "dir"],
	img: ["alt", "loading", "decoding", "width", "height", "src"],
	li: ["class"],
	ol: ["class", "start"],
	p: ["class"],
	pre: ["class"],
	span: ["class", "data-n", "data-s"],
	time: ["datetime"],
	figure: ["class"],
	td: ["class"],
	th: ["class"],
	header: ["class"],
	footer: ["class"],
	aside: ["class"],
	ul: ["class"],
	dl: ["class"],
	small: ["class"],
	...Object.fromEntries(
		"blockquote br code dd del dt em figcaption h1 h3 h4 h5 h6 hr main mark nav strong summary table tbody thead tr"
			.split(" ")
			.map((name) => [name, []]),
	),
};
const EMPTY = new Set(["br", "hr", "img"]);

/** What is wrong with the markup of a page, below its head: elements, attributes and addresses that it must not have. */
export function faultsIn(page: string): string[] {
	const [, body = ""] = page.split(`<style>${PAGE_STYLE}</style>\n</head>\n<body>\n`);
	const [inner = "", end = ""] = body.split(`<script>${PAGE_SCRIPT}</script>`);
	const faults = end === "\n</body>\n</html>\n" ? [] : [`ends with ${end.slice(0, 100)}`];
	const open: string[] = [];
	const texts = inner.split(/(<[^<>]*>)/);
	for (const [index, piece] of texts.entries()) {
		if (index % 2 === 0) {
			if (/[<>]/.test(piece)) faults.push(`text ${piece.slice(0, 100)}`);
			continue;
		}
		const [, close = "", name = "", attributes = ""] =
			/^<(\/?)([a-z0-9]+)((?: [a-z-]+(?:="[^"]*")?)*)>$/.exec(piece) ?? [];
		const known = ELEMENTS[name];
		if (known === undefined) faults.push(`element ${piece.slice(0, 100)}`);
		else if (close === "/") {
			const last = open.pop();
			if (last !== name) faults.push(`</${name}> closes <${last}>`);
		} else {
			if (!EMPTY.has(name)) open.push(name);
			for (const [, attribute = "", value = ""] of attributes.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g))
				if (!known.includes(attribute) || !isGood(attribute, value))
					faults.push(`${name} ${attribute}=${value.slice(0, 100)}`);
		}
	}
	return open.length === 0 ? faults : [...faults, `open: ${open.join(" ")}`];
}

function isGood(attribute: string, value: string): boolean {
	if (attribute === "href")
		return /^(?:#(?:[\w-]+|(?:line|file):\d+|file:all)|https?:\/\/[!-~]+|mailto:[!-~]+)$/.test(value);
	if (attribute === "src") return /^data:image\/(?:png|jpeg|gif|webp|avif|bmp);base64,[A-Za-z0-9+/=]*$/.test(value);
	return attribute !== "id" || /^(?:[\w-]+|(?:line|file):\d+|file:all)$/.test(value);
}
