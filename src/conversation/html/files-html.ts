import { timeOf } from "../../store/format/raw-entry.ts";
import { formatCount, formatCounted, formatDayTime } from "../../ui/text/format.ts";
import type { SharedEdit, Survey } from "../share/share-items.ts";
import { changesHtml } from "./entry-html.ts";
import { escaped, type Html, joined, markup, NO_HTML, shown } from "./html-text.ts";
import { anchorOf, type PageContext } from "./page-parts.ts";

type SharedFiles = Pick<Survey, "sum" | "edits">;

/** The files that were changed, in the order of their first edit, each with all that was changed in it, folded. */
export function* filesHtml(files: SharedFiles, context: PageContext): Generator<Html> {
	if (files.edits.length === 0) return;
	yield markup`<details class="files" id="file:all"><summary>${allFiles(files)}</summary>`;
	for (const [index, [path, edits]] of byPath(files).entries()) {
		const count = markup`<span>${escaped(formatCounted(edits.length, "edit"))}</span>`;
		const row = markup`<span class="arg">${shown(path)}</span> <span class="came">${count}</span>`;
		yield markup`<details class="step" id="file:${index + 1}"><summary>${row}</summary><div class="in">`;
		for (const { entry, turn } of edits) {
			const when = [`turn ${formatCount(turn)}`, formatDayTime(timeOf(entry.timestamp))].filter((part) => part !== "");
			yield markup`<p class="where"><a href="#${anchorOf(entry.id, context.session)}">${escaped(when.join(" · "))}</a></p>`;
			yield* changesHtml(entry, context);
		}
		yield markup`</div></details>`;
	}
	yield markup`</details>
`;
}

/** The rows of the side bar that lead to them. */
export function fileRowsHtml(files: SharedFiles): Html {
	if (files.edits.length === 0) return NO_HTML;
	const rows = byPath(files).map(
		([path], index) => markup`<li><a class="row" href="#file:${index + 1}">${shown(path)}</a></li>`,
	);
	return markup`<ol class="tree"><li class="turn"><details><summary><a class="row" href="#file:all">${allFiles(files)}</a></summary><ol>${joined(rows)}</ol></details></li></ol>
`;
}

function byPath({ edits }: SharedFiles): readonly (readonly [path: string, edits: readonly SharedEdit[]])[] {
	return [...Map.groupBy(edits, ({ path }) => path)];
}

function allFiles({ sum }: SharedFiles): Html {
	return markup`${escaped(formatCounted(sum.files.size, "file"))} changed`;
}
