import type { SessionEntry } from "../../store/format/schema.ts";
import { formatCost, formatCount, formatCounted, formatDuration, formatTokens } from "../../ui/text/format.ts";
import { entryKind } from "../entries/entry-kind.ts";
import { fieldsOf, textOf } from "../entries/fields.ts";
import { addEntry, emptySum, filesPart, type Sum } from "../entries/turn-sum.ts";
import { leftOutWords } from "../share/prepare-share.ts";
import { type Shared, shareItems } from "../share/share-items.ts";
import { entryHtml } from "./entry-html.ts";
import { escaped, type Html, markup, NOTHING } from "./html-text.ts";
import type { PageContext } from "./page-parts.ts";
import { branchTitle } from "./tree-html.ts";

/** The conversation, each turn with what it came to; other branches are folded where they begin. */
export function* conversationHtml(shared: Shared, context: PageContext): Generator<Html> {
	/** Of the turn of each line that is open. */
	const sums: Sum[] = [emptySum()];
	const endTurn = (): Html => {
		const sum = sums.at(-1);
		sums[sums.length - 1] = emptySum();
		const words = sum === undefined || sum.turns === 0 ? "" : sumWords(sum);
		return words === "" ? NOTHING : markup`<p class="sum">${escaped(words)}</p>`;
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
				if (!isLabelSeen(item.entry, context)) yield* entryHtml(item.entry, context);
			}
		}
	}
	yield endTurn();
}

/** What a turn came to, for people who do not know the signs of our screens. */
function sumWords(sum: Sum): string {
	const tokens = sum.input + sum.output + sum.cacheRead + sum.cacheWrite;
	const parts = [
		sum.steps === 0 ? "" : formatCounted(sum.steps, "step"),
		sum.errors === 0 ? "" : `${formatCount(sum.errors)} failed`,
		filesPart(sum),
		sum.workedMs === 0 ? "" : formatDuration(sum.workedMs),
		tokens === 0 ? "" : formatTokens(tokens),
		sum.cost === 0 ? "" : formatCost(sum.cost),
	];
	return parts.filter((part) => part !== "").join(" · ");
}

/** Whether an entry only gives another one the label that stands at that. */
function isLabelSeen(entry: SessionEntry, { session }: PageContext): boolean {
	if (entryKind(entry) !== "label") return false;
	const { targetId, label } = fieldsOf(entry);
	return textOf(label) !== "" && session.tree.labels.get(textOf(targetId))?.text === textOf(label).trim();
}
