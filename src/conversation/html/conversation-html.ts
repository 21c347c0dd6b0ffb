import { fieldsOf, textOf } from "../../store/format/fields.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { formatCount, formatCounted, formatDuration, formatTokens } from "../../ui/text/format.ts";
import { branchName } from "../entries/branch-name.ts";
import { entryEnd } from "../entries/entry-facts.ts";
import { type EntryKind, entryKind } from "../entries/entry-kind.ts";
import { describeRow } from "../entries/row.ts";
import { stepOf } from "../entries/step.ts";
import { addEntry, costWords, emptySum, filesPart, type Sum } from "../entries/turn-sum.ts";
import { leftOutWords } from "../share/prepare-share.ts";
import { type Shared, type ShareItem, shareItems } from "../share/share-items.ts";
import { entryHtml, stepRow } from "./entry-html.ts";
import { escaped, type Html, markup, NO_HTML, shown } from "./html-text.ts";
import { anchorOf, type PageContext, runHtml } from "./page-parts.ts";

/** The conversation, each turn with what it came to; other branches are folded where they begin. */
export function* conversationHtml(shared: Shared, context: PageContext): Generator<Html> {
	/** Of the turn of each line that is open. */
	const sums: Sum[] = [emptySum()];
	const endTurn = (): Html => {
		const sum = sums.at(-1);
		sums[sums.length - 1] = emptySum();
		const words = sum === undefined || sum.turns === 0 ? "" : sumWords(sum);
		return words === "" ? NO_HTML : markup`<p class="sum">${escaped(words)}</p>`;
	};
	for (const item of shareItems(shared)) {
		switch (item.type) {
			case "branch":
				sums.push(emptySum());
				yield markup`<details class="branch"><summary>${branchTitle(item, context)}</summary>`;
				break;
			case "end":
				yield endTurn();
				sums.pop();
				yield markup`</details>`;
				break;
			case "left-out":
				yield markup`<p class="left-out">⊘ ${escaped(leftOutWords(item))}</p>`;
				break;
			case "entry": {
				if (entryKind(item.entry) === "prompt") yield endTurn();
				const sum = sums.at(-1);
				if (sum !== undefined) addEntry(sum, item.entry, context.session, context.place);
				if (!isLabelSeen(item.entry, context)) yield* entryHtml(item.entry, { ...context, turn: item.turn });
				for (const run of context.runs?.get(item.entry.id) ?? []) yield markup`<p class="run">${runHtml(run)}</p>`;
			}
		}
	}
	yield endTurn();
}

/** What a turn came to, for people who do not know the signs of our screens; "" if nothing came of it, however long that took. */
function sumWords(sum: Sum): string {
	const tokens = sum.input + sum.output + sum.cacheRead + sum.cacheWrite;
	if (sum.steps === 0 && tokens === 0 && sum.cost === 0) return "";
	const parts = [
		sum.steps === 0 ? "" : formatCounted(sum.steps, "step"),
		sum.errors === 0 ? "" : `${formatCount(sum.errors)} failed`,
		filesPart(sum),
		sum.workedMs === 0 ? "" : formatDuration(sum.workedMs),
		tokens === 0 ? "" : formatTokens(tokens),
		costWords(sum),
	];
	return parts.filter((part) => part !== "").join(" · ");
}

/** Whether an entry only gives another one the label that stands at that. */
function isLabelSeen(entry: SessionEntry, { session }: PageContext): boolean {
	if (entryKind(entry) !== "label") return false;
	const { targetId, label } = fieldsOf(entry);
	return textOf(label) !== "" && session.tree.labels.get(textOf(targetId))?.text === textOf(label).trim();
}

/** What has no row: it keeps books, or only thinks. */
const NO_ROW: ReadonlySet<EntryKind> = new Set<EntryKind>([
	"calls",
	"label",
	"name",
	"custom",
	"usage",
	"context-edit",
	"thinking-level",
	"system",
]);
/** A tree with no more entries is open from the start. */
const FEW_ENTRIES = 60;
/** Characters of what was said in a row. */
const LONGEST = 160;

/** The tree of what is shared: a row for each turn, with its number, and its steps and their runs below it, and for each branch. */
export function* treeHtml(shared: Shared, context: PageContext, entries: number): Generator<Html> {
	const open = entries <= FEW_ENTRIES ? markup` open` : NO_HTML;
	/** The lists that are open: of branches, each with a turn in it or not. */
	const turns: boolean[] = [false];
	const endTurn = function* (): Generator<Html> {
		if (turns.at(-1)) yield markup`</ol></details></li>`;
		turns[turns.length - 1] = false;
	};
	yield markup`<ol class="tree">`;
	for (const item of shareItems(shared)) {
		if (item.type === "end") {
			yield* endTurn();
			turns.pop();
			yield markup`</ol></details></li>`;
		} else if (item.type === "branch") {
			turns.push(false);
			yield markup`<li class="branch"><details${open}><summary>${branchTitle(item, context)}</summary><ol>`;
		} else if (item.type === "left-out") yield markup`<li class="left-out">⊘ ${escaped(leftOutWords(item))}</li>`;
		else if (entryKind(item.entry) === "prompt") {
			yield* endTurn();
			turns[turns.length - 1] = true;
			const number = markup`<span class="turn-number">${item.turn}</span> `;
			yield markup`<li class="turn"><details${open}><summary>${rowHtml(item.entry, context, number)}</summary><ol>`;
		} else if (!NO_ROW.has(entryKind(item.entry))) yield markup`<li>${rowHtml(item.entry, context)}</li>`;
		else yield NO_HTML;
		if (item.type !== "entry") continue;
		for (const run of context.runs?.get(item.entry.id) ?? []) yield markup`<li>${runHtml(run, RUN_ROW)}</li>`;
	}
	yield* endTurn();
	yield markup`</ol>`;
}

const RUN_ROW = markup`row run`;

function rowHtml(entry: SessionEntry, context: PageContext, number = NO_HTML): Html {
	const kind = entryKind(entry);
	const step = stepOf(entry, context.session, context.place);
	const failed = entryEnd(entry, context.session) === "failed" ? markup` failed` : NO_HTML;
	const label = context.session.tree.labels.get(entry.id);
	const flag =
		label === undefined ? NO_HTML : markup`<span class="label">⚑ ${shown(label.text.slice(0, LONGEST))}</span> `;
	return markup`<a class="row ${escaped(kind)}${failed}" href="#${anchorOf(entry.id, context.session)}">${number}${flag}${step === undefined ? words(entry, context) : stepRow(step)}</a>`;
}

function words(entry: SessionEntry, { session, place }: PageContext): Html {
	const { mark, verb, text } = describeRow(entry, session, place);
	const parts = [mark?.text ?? "", verb?.text ?? "", text].filter((part) => part !== "");
	const row = parts.join(" ").replace(/\s+/g, " ");
	return shown(row.length > LONGEST ? `${row.slice(0, LONGEST)}…` : row);
}

/** What a branch is called, and how much is in it. */
function branchTitle(item: ShareItem & { readonly type: "branch" }, context: PageContext): Html {
	const name = branchName(item.beginning, 0, context.session, context.place, LONGEST);
	return markup`<span class="verb">⊞</span> ${shown(name)} <span class="muted">${escaped(formatCounted(item.entries, "entry", "entries"))}</span>`;
}
