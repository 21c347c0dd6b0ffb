import { decodeHTMLStrict } from "entities/decode";
import type { MarkedToken, Token, Tokens } from "marked";
import { knownToken } from "../render/markdown-inline.ts";
import { escaped, type Html, joined, markup, shown } from "./html-text.ts";

/** Prose as HTML. */
export function inlineHtml(tokens: readonly Token[]): Html {
	return joined(tokens.map((token) => tokenHtml(knownToken(token))));
}

function tokenHtml(token: MarkedToken): Html {
	switch (token.type) {
		case "text":
			return token.tokens === undefined ? shown(decodeHTMLStrict(token.text)) : inlineHtml(token.tokens);
		case "escape":
			return shown(token.text);
		case "strong":
			return markup`<strong>${inlineHtml(token.tokens)}</strong>`;
		case "em":
			return markup`<em>${inlineHtml(token.tokens)}</em>`;
		case "del":
			return markup`<del>${inlineHtml(token.tokens)}</del>`;
		case "codespan":
			return markup`<code>${shown(token.text)}</code>`;
		case "br":
			return markup`<br>`;
		case "checkbox":
			return markup``;
		case "html":
			return LINE_BREAK.test(token.raw) ? markup`<br>` : markup`<span class="raw">${shown(token.raw)}</span>`;
		case "link":
			return linkHtml(token, inlineHtml(token.tokens));
		case "image":
			return linkHtml(token, markup`image: ${shown(token.text || token.href)}`);
		default:
			return shown(token.raw);
	}
}

const LINE_BREAK = /^<br ?\/?>$/i;
/** Where a page may lead to, when somebody clicks: nothing of it is ever loaded. */
const SAFE = /^(?:https?:\/\/|mailto:)[!-~]+$/i;
const LONGEST = 2000;

function linkHtml({ href, title }: Tokens.Link | Tokens.Image, text: Html): Html {
	const address = decodeHTMLStrict(href);
	const name = title ? decodeHTMLStrict(title) : "";
	if (address.length > LONGEST || !SAFE.test(address))
		return markup`${text} <span class="raw">(${shown(address.slice(0, LONGEST))}${shown(name === "" ? "" : ` "${name}"`)})</span>`;
	return markup`<a href="${escaped(address)}" title="${escaped(name || address)}" rel="noopener noreferrer nofollow">${text}</a>`;
}
