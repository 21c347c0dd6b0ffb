import {
	formatClock,
	formatCost,
	formatCount,
	formatDay,
	formatDayTime,
	formatDuration,
	formatShort,
	shortenHome,
} from "../../ui/text/format.ts";
import { fieldsOf, textOf } from "../entries/fields.ts";
import { fileLines, type Sum } from "../entries/turn-sum.ts";
import { leftOutLines, maskedLine, pictureLines } from "../share/notice-lines.ts";
import type { PreparedShare } from "../share/prepare-share.ts";
import { escaped, type Html, joined, markup, NOTHING, shown } from "./html-text.ts";

/** What a page says of itself. */
export interface PageFacts {
	readonly prepared: PreparedShare;
	/** Of this program. */
	readonly version: string;
	/** When the page is made, Unix ms. */
	readonly now: number;
}

/** Models that are named. */
const MOST_MODELS = 4;

/** The title, where and when the session was, and what it comes to. */
export function headHtml({ prepared }: PageFacts): Html {
	const { title, survey, place, shared } = prepared;
	const { sum, models } = survey;
	const cwd = textOf(fieldsOf(shared.session.header).cwd);
	const named = [...models].toSorted(([, one], [, other]) => other - one).map(([name]) => name);
	const more = named.length > MOST_MODELS ? [`${formatCount(named.length - MOST_MODELS)} more`] : [];
	const about = [
		shortenHome(cwd, place.home),
		periodWords(sum.startMs ?? Number.NaN, sum.endMs ?? Number.NaN),
		[...named.slice(0, MOST_MODELS), ...more].join(", "),
	];
	const said = about.filter((part) => part !== "").map((part) => markup`<li>${shown(part)}</li>`);
	return markup`<header class="head"><h1>${shown(title)}</h1><ul class="about">${joined(said)}</ul><dl class="sums">${joined(sumsHtml(sum))}</dl></header>`;
}

/** "21 Nov 2025 9:29 – 10:12", or with the day of its end as well. */
function periodWords(startMs: number, endMs: number): string {
	const [from, to] = [formatDayTime(startMs), formatDayTime(endMs)];
	if (from === to) return from;
	return `${from} – ${formatDay(startMs) === formatDay(endMs) ? formatClock(endMs) : to}`;
}

function* sumsHtml(sum: Sum): Generator<Html> {
	const { added, removed } = fileLines(sum);
	const tokens = sum.input + sum.output + sum.cacheRead + sum.cacheWrite;
	const failed =
		sum.errors === 0 ? NOTHING : markup`<small class="t-error">${escaped(formatCount(sum.errors))} failed</small>`;
	const lines = markup`<small><span class="t-added">+${escaped(formatCount(added))}</span> <span class="t-removed">−${escaped(formatCount(removed))}</span></small>`;
	yield sumHtml("Prompts", formatCount(sum.turns), NOTHING);
	if (sum.steps > 0) yield sumHtml("Steps", formatCount(sum.steps), failed);
	if (sum.files.size > 0) yield sumHtml("Files changed", formatCount(sum.files.size), lines);
	if (sum.workedMs > 0) yield sumHtml("At work", formatDuration(sum.workedMs), NOTHING);
	if (tokens > 0)
		yield sumHtml("Tokens", formatShort(tokens), markup`<small>${escaped(formatShort(sum.output))} written</small>`);
	if (sum.cost > 0) yield sumHtml("Cost", formatCost(sum.cost), NOTHING);
}

function sumHtml(name: string, value: string, more: Html): Html {
	return markup`<div><dt>${escaped(name)}</dt><dd>${escaped(value)} ${more}</dd></div>`;
}

/** What is not in the page, and what is masked in it. */
export function noticeHtml({ prepared }: PageFacts): Html {
	const lines = [maskedLine(prepared), ...leftOutLines(prepared), ...pictureLines(prepared)];
	const said = lines.filter((line) => line !== "").map((line) => markup`<li>${escaped(line)}</li>`);
	return said.length === 0 ? NOTHING : markup`<aside class="notice"><ul>${joined(said)}</ul></aside>`;
}

/** Where the page comes from. */
export function footHtml({ prepared, version, now }: PageFacts): Html {
	const id = textOf(fieldsOf(prepared.shared.session.header).id);
	return markup`<footer class="foot">Made by pi-grove ${escaped(version)} on ${escaped(formatDayTime(now))}${escaped(id === "" ? "" : ` of session ${id}`)}. Private data is recognized by its form; data without a known form is not masked.</footer>`;
}
