import type { Comment } from "../../../catalog/model/marks.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { cleanLines } from "../../../ui/text/sanitize.ts";
import { wrapText } from "../../../ui/text/wrap.ts";
import { commentedLines } from "../../world/opened/comment-lines.ts";
import type { DiffRow } from "../../world/page/file-diffs.ts";
import type { ShownFile } from "./effects/changes-effects.ts";

/** A row of a file, or of a comment on a line of it. */
export interface CommentedRow extends DiffRow<ShownFile> {
	/** What a row of a comment says. */
	readonly said?: Line;
	/** Whether a comment is on its line. */
	readonly isCommented?: true;
}

/** The rows with each comment below its line. */
export function withComments(
	rows: readonly DiffRow<ShownFile>[],
	comments: readonly Comment[],
	cells: number,
): readonly CommentedRow[] {
	if (comments.length === 0) return rows;
	return rows.flatMap((row, at): readonly CommentedRow[] => {
		const { file, diff, shows } = row;
		if (diff === undefined) return [row];
		const commented = commentedLines(comments, file.names, diff.lines);
		const below = new Set(shows)
			.difference(new Set(rows[at + 1]?.shows))
			.values()
			.flatMap((line) => commented.get(line) ?? [])
			.flatMap(({ comment, isLast }) => (isLast ? commentRows(comment, cells) : []));
		const signedRow = shows.some((line) => commented.has(line)) ? ({ ...row, isCommented: true } as const) : row;
		return [
			signedRow,
			...below.map((said, index): CommentedRow => ({ ...row, key: `${row.key} comment ${index}`, said })),
		];
	});
}

/** Cells before a comment. */
const SIGN = "    ✎ ";

function commentRows({ text, sentMs }: Comment, cells: number): readonly Line[] {
	const lines = cleanLines(sentMs === undefined ? text : `${text} · sent`);
	return lines
		.flatMap((line) => wrapText(line, cells - SIGN.length))
		.map((line, index): Line => {
			const tone = sentMs === undefined ? "label" : "muted";
			return [span(index === 0 ? SIGN : " ".repeat(SIGN.length), tone), { text: line, tone }];
		});
}
