import { createHash } from "node:crypto";
import { fieldsOf, textOf } from "../../store/format/fields.ts";
import {
	formatClock,
	formatCount,
	formatDay,
	formatDayTime,
	formatDuration,
	formatShort,
	shortenHome,
} from "../../ui/text/format.ts";
import { RUN_SIGN } from "../entries/run-outcome.ts";
import { shortTitle } from "../entries/session-title.ts";
import { costWords, type Sum } from "../entries/turn-sum.ts";
import type { Renderers } from "../render/renderers.ts";
import { leftOutLines, type PreparedShare } from "../share/prepare-share.ts";
import { conversationHtml, treeHtml } from "./conversation-html.ts";
import { fileRowsHtml, filesHtml } from "./files-html.ts";
import { escaped, type Html, joined, markup, NO_HTML, shown } from "./html-text.ts";
import type { PageContext } from "./page-parts.ts";
import { PAGE_SCRIPT } from "./page-script.ts";
import { PAGE_STYLE } from "./page-style.ts";

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
	const { shared, title, heading, place, survey, family } = facts.prepared;
	const runs = Map.groupBy(family.runs, ({ entryId }) => entryId);
	const context: PageContext = { session: shared.session, place, renderers, runs };
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
<title>${escaped(shortTitle(title))}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<nav><details class="contents" open><summary>${shown(heading)}</summary>
${fileRowsHtml(survey)}`;
	yield* treeHtml(shared, context, survey.entries);
	yield markup`
</details></nav>
<main>
${headHtml(facts)}
${noticeHtml(facts)}
`;
	yield* filesHtml(survey, context);
	yield* conversationHtml(shared, context);
	yield markup`${footHtml(facts)}
</main>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

interface PageFacts {
	readonly prepared: PreparedShare;
	readonly version: string;
	/** When the page is made, Unix ms. */
	readonly now: number;
}

const MOST_MODELS = 4;

/** The title, where and when the session was, and what it comes to. */
function headHtml({ prepared }: PageFacts): Html {
	const { heading, survey, place, shared, family } = prepared;
	const { sum, models } = survey;
	const cwd = textOf(fieldsOf(shared.session.header).cwd);
	const named = [...models].toSorted(([, one], [, other]) => other - one).map(([name]) => name);
	const more = named.length > MOST_MODELS ? [`${formatCount(named.length - MOST_MODELS)} more`] : [];
	const about = [
		shortenHome(cwd, place.home),
		periodWords(sum.startMs ?? Number.NaN, sum.endMs ?? Number.NaN),
		[...named.slice(0, MOST_MODELS), ...more].join(", "),
	];
	const items = about.filter((part) => part !== "").map((part) => markup`<li>${shown(part)}</li>`);
	const above =
		family.parent === undefined
			? NO_HTML
			: markup`<p class="run"><a href="${escaped(family.parent.page)}">${escaped(RUN_SIGN)} run of ${shown(family.parent.title)}</a></p>`;
	return markup`<header class="head">${above}<h1>${shown(heading)}</h1><ul class="about">${joined(items)}</ul><dl class="sums">${joined(sumsHtml(sum))}</dl></header>`;
}

/** "21 Nov 2025 9:29 – 10:12", or with the day of its end as well. */
function periodWords(startMs: number, endMs: number): string {
	const [from, to] = [formatDayTime(startMs), formatDayTime(endMs)];
	if (from === to) return from;
	return `${from} – ${formatDay(startMs) === formatDay(endMs) ? formatClock(endMs) : to}`;
}

function* sumsHtml(sum: Sum): Generator<Html> {
	const tokens = sum.input + sum.output + sum.cacheRead + sum.cacheWrite;
	const failed =
		sum.errors === 0 ? NO_HTML : markup`<small class="t-error">${escaped(formatCount(sum.errors))} failed</small>`;
	yield sumHtml("Prompts", formatCount(sum.turns), NO_HTML);
	if (sum.steps > 0) yield sumHtml("Steps", formatCount(sum.steps), failed);
	if (sum.files.size > 0) yield sumHtml("Files changed", formatCount(sum.files.size), NO_HTML);
	if (sum.workedMs > 0) yield sumHtml("At work", formatDuration(sum.workedMs), NO_HTML);
	if (tokens > 0)
		yield sumHtml("Tokens", formatShort(tokens), markup`<small>${escaped(formatShort(sum.output))} written</small>`);
	if (sum.cost + sum.unpriced > 0) yield sumHtml("Cost", costWords(sum), NO_HTML);
}

function sumHtml(name: string, value: string, more: Html): Html {
	return markup`<div><dt>${escaped(name)}</dt><dd>${escaped(value)} ${more}</dd></div>`;
}

/** What a reader cannot see: what is not in it. What the person who shares it has to know stands elsewhere. */
function noticeHtml({ prepared }: PageFacts): Html {
	const items = leftOutLines(prepared).map((line) => markup`<li>${escaped(line)}</li>`);
	return items.length === 0 ? NO_HTML : markup`<aside class="notice"><ul>${joined(items)}</ul></aside>`;
}

function footHtml({ prepared, version, now }: PageFacts): Html {
	const id = textOf(fieldsOf(prepared.shared.session.header).id);
	return markup`<footer class="foot">Made by pi-grove ${escaped(version)} on ${escaped(formatDayTime(now))}${escaped(id === "" ? "" : ` of session ${id}`)}.</footer>`;
}
