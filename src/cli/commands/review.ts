import { sessionComments, waitingComments } from "../../catalog/model/marks.ts";
import { excerptLines, placeComments, reviewPrompt } from "../../edits/review.ts";
import { keepHeapSmall } from "../../shared/v8-settings.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { readTarget } from "../find/find-target.ts";
import { readOwnMarks } from "../find/session-json.ts";
import { Sessions } from "../find/sessions.ts";
import { EXIT, printJsonList, printPieces, remark } from "../print/output.ts";
import { isoOf } from "./blame/read-edits.ts";

/** Prints the comments on lines of a session as one prompt. */
export async function review(args: Arguments): Promise<number> {
	keepHeapSmall();
	const read = await readTarget(args.words[0] ?? "", args);
	const { row, session, home } = read;
	const marks = readOwnMarks();
	const comments = args.all ? sessionComments(row, marks) : waitingComments(row, marks);
	const isRemote = read.isRemote || row.place !== undefined;
	const rows = isRemote || comments.length === 0 ? [] : await Sessions.of(args).list();
	const placed = [...(await placeComments(comments, session, { home, rows, isRemote })).values()];
	if (args.json)
		await printJsonList(placed, (one) => {
			const { path, line, count, change, comment } = one;
			const { kind, entry, text, atMs, sentMs } = comment;
			return {
				path: path ?? null,
				line: line ?? null,
				endLine: line === undefined ? null : line + count - 1,
				was: comment.line ?? null,
				kind,
				change,
				entry,
				text,
				lines: excerptLines(one),
				time: isoOf(atMs),
				sent: sentMs === undefined ? null : isoOf(sentMs),
			};
		});
	else if (placed.length > 0) await printPieces(reviewPrompt(placed, session));
	if (placed.length > 0) return EXIT.ok;
	if (args.json !== true) remark("No comment on a line of this session waits to be sent; c writes one in the browser.");
	return EXIT.nothing;
}
