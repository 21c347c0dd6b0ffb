import { fieldsOf, textOf } from "../conversation/fields.ts";
import { fileLines, type Sum } from "../conversation/turn-sum.ts";
import type { Survey } from "../share/survey.ts";
import type { FindingGroup } from "../share/told-findings.ts";
import {
	formatCost,
	formatCount,
	formatCounted,
	formatDateTime,
	formatDuration,
	formatShort,
	shortenHome,
} from "../text/format.ts";
import { escaped, type Html, joined, markup, NOTHING, shown } from "./html-text.ts";
import type { PageContext } from "./page-context.ts";
import { leftOutWords } from "./tree-html.ts";

/** What a page says of itself. */
export interface PageFacts {
	readonly title: string;
	readonly survey: Survey;
	readonly groups: readonly FindingGroup[];
	/** Of this program. */
	readonly version: string;
	/** When the page is made, Unix ms. */
	readonly now: number;
}

/** Models that are named. */
const MOST_MODELS = 4;

/** The title, where and when the session was, and what it comes to. */
export function headHtml({ title, survey }: PageFacts, { session, place }: PageContext): Html {
	const { sum, models } = survey;
	const cwd = textOf(fieldsOf(session.header).cwd);
	const from = formatDateTime(sum.startMs ?? Number.NaN);
	const to = formatDateTime(sum.endMs ?? Number.NaN);
	const named = [...models].toSorted(([, one], [, other]) => other - one).map(([name]) => name);
	const more = named.length > MOST_MODELS ? [`${formatCount(named.length - MOST_MODELS)} more`] : [];
	const about = [
		shortenHome(cwd, place.home),
		from === "" ? "" : from === to ? from : `${from} – ${to.slice(0, 10) === from.slice(0, 10) ? to.slice(11) : to}`,
		[...named.slice(0, MOST_MODELS), ...more].join(", "),
	];
	const said = about.filter((part) => part !== "").map((part) => markup`<li>${shown(part)}</li>`);
	return markup`<header class="head"><h1>${shown(title)}</h1><ul class="about">${joined(said)}</ul><dl class="sums">${joined(sumsHtml(sum))}</dl></header>`;
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
export function noticeHtml({ survey, groups }: PageFacts, { session }: PageContext): Html {
	const masked = groups.filter(({ isAllowed }) => !isAllowed).map(({ words }) => words);
	const damaged = session.diagnostics.filter(({ severity }) => severity === "damage").length;
	const lines = [
		masked.length === 0 ? "" : `Masked, by their form: ${masked.join(", ")}.`,
		survey.leftOutBranches === 0
			? ""
			: `${capitalized(leftOutWords({ branches: survey.leftOutBranches, entries: survey.leftOutEntries }))}.`,
		survey.images === 0
			? ""
			: `${formatCounted(survey.images, "picture")} as in the session: nothing is masked in pictures.`,
		survey.oddImages === 0 ? "" : `${formatCounted(survey.oddImages, "picture")} of a form that browsers do not show.`,
		damaged === 0 ? "" : `The file is damaged in ${formatCounted(damaged, "place")}: what cannot be read is not here.`,
	];
	const said = lines.filter((line) => line !== "").map((line) => markup`<li>${escaped(line)}</li>`);
	return said.length === 0 ? NOTHING : markup`<aside class="notice"><ul>${joined(said)}</ul></aside>`;
}

function capitalized(text: string): string {
	return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Where the page comes from. */
export function footHtml({ version, now }: PageFacts, { session }: PageContext): Html {
	const id = textOf(fieldsOf(session.header).id);
	return markup`<footer class="foot">Made by pi-grove ${escaped(version)} on ${escaped(formatDateTime(now))}${escaped(id === "" ? "" : ` of session ${id}`)}. What is masked was found by its form; what has none of the known forms is not masked.</footer>`;
}
