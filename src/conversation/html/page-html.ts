import { createHash } from "node:crypto";
import type { Renderers } from "../render/renderers.ts";
import { conversationHtml } from "./conversation-html.ts";
import { footHtml, headHtml, noticeHtml, type PageFacts } from "./head-html.ts";
import { escaped, type Html, markup, shown } from "./html-text.ts";
import type { PageContext } from "./page-context.ts";
import { PAGE_SCRIPT } from "./page-script.ts";
import { PAGE_STYLE } from "./page-style.ts";
import { treeHtml } from "./tree-html.ts";

/** The source of a style or a script that alone may be in the page, as its policy names it. */
function sourceHash(source: Html): string {
	return `'sha256-${createHash("sha256").update(source).digest("base64")}'`;
}

/** Nothing is loaded, nothing is sent, and no other style and script than ours are obeyed, whatever is in the page. */
const POLICY = [
	"default-src 'none'",
	"img-src data:",
	`style-src ${sourceHash(PAGE_STYLE)}`,
	`script-src ${sourceHash(PAGE_SCRIPT)}`,
	"base-uri 'none'",
	"form-action 'none'",
].join("; ");

/**
 * What is shared of a session as one page that needs nothing else, in pieces, some of which are empty: there may be any
 * amount of text.
 */
export function* pageHtml(facts: PageFacts, renderers: Renderers): Generator<Html> {
	const { shared, title, place, survey } = facts.prepared;
	const context: PageContext = { session: shared.session, place, renderers };
	yield markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta http-equiv="x-dns-prefetch-control" content="off">
<meta name="generator" content="pi-grove ${escaped(facts.version)}">
<link rel="icon" href="data:,">
<title>${escaped(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<nav><details class="contents" open><summary>${shown(title)}</summary>
`;
	yield* treeHtml(shared, context, survey.entries);
	yield markup`
</details></nav>
<main>
${headHtml(facts)}
${noticeHtml(facts)}
`;
	yield* conversationHtml(shared, context);
	yield markup`${footHtml(facts)}
</main>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}
