import { type Comment, isUnsent } from "../../../catalog/model/marks.ts";
import { CODE_TAB_STOP } from "../../../conversation/render/code-lines.ts";
import { excerptLines, type PlacedComment, placeByText, placeComments, placeName } from "../../../edits/review.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { Session } from "../../../store/read/read-session.ts";
import {
	cursorIndex,
	FIRST_CURSOR,
	NO_MARKED,
	type PageCursor,
	type PageMarks,
	type PageRow,
} from "../../../ui/page/page-rows.ts";
import { formatAgo, formatCount, formatCounted } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { cleanLines, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine, joinEnds, lineWidth } from "../../../ui/text/width.ts";
import { wrapText } from "../../../ui/text/wrap.ts";
import { defineQuery } from "../../world/effects/define-query.ts";
import { openedComments } from "../../world/opened/comment-lines.ts";
import { definePage } from "../../world/page/define-page.ts";
import { textPane } from "../../world/page/page.ts";
import { defineSlice, type State } from "../../world/state/state.ts";

interface ReviewState {
	readonly cursor: PageCursor;
	readonly marks: PageMarks;
}

export const REVIEW = defineSlice<ReviewState>("review", { cursor: FIRST_CURSOR, marks: NO_MARKED });

interface ReviewRow extends PageRow {
	readonly comment: Comment;
}

/** Where the lines are now, read when the page is opened and when a comment changes. */
export const PLACED = defineQuery<
	{ readonly comments: readonly Comment[]; readonly session: Session; readonly isRemote: boolean },
	ReadonlyMap<string, PlacedComment>
>({
	name: "review",
	wanted: (state) => {
		const { session, row } = state.detail;
		return session && { comments: openedComments(state), session, isRemote: row?.place !== undefined };
	},
	isSame: (asked, wanted) => asked.comments === wanted.comments && asked.session.path === wanted.session.path,
	async load({ comments, session, isRemote }, { store, disk: { home }, slice, report }) {
		report(await placeByText(comments, isRemote));
		return placeComments(comments, session, { home, rows: store.rows(), slice, isRemote });
	},
});

function selectRows(state: State): readonly ReviewRow[] {
	return rowsOf(openedComments(state));
}

/** What waits comes first. */
const rowsOf = memoLast((comments: readonly Comment[]): readonly ReviewRow[] =>
	comments
		.toSorted((one, other) => Number(isUnsent(other)) - Number(isUnsent(one)))
		.map((comment) => ({ key: comment.key, comment })),
);

export function selectedComment(state: State): Comment | undefined {
	const rows = selectRows(state);
	return rows[cursorIndex(REVIEW.of(state).cursor, rows)]?.comment;
}

/** The marked comments; without any, those that wait. */
export function chosenComments(state: State): readonly Comment[] {
	const { marked } = REVIEW.of(state).marks;
	const comments = openedComments(state);
	return comments.filter((comment) => (marked.size > 0 ? marked.has(comment.key) : isUnsent(comment)));
}

export const REVIEW_PAGE = definePage<ReviewRow>({
	kind: "review",
	slice: REVIEW,
	name: "comments",
	rows: selectRows,
	draw(state) {
		const { value } = PLACED.of(state);
		const cwd = state.detail.row?.cwd ?? "";
		return ({ comment }, { selected, marked, width }) => {
			const place = value?.get(comment.key);
			const { sentMs } = comment;
			const sent = sentMs === undefined ? "" : `sent ${formatAgo(sentMs, state.now)}`;
			const facts = [place?.change ?? "", sent].filter((fact) => fact !== "").join(" · ");
			const right = [span(facts === "" ? " " : `  ${facts} `, "muted")];
			const sign = marked ? span("✓ ", "current") : span("✎ ", sentMs === undefined ? "label" : "muted");
			const name = placeName(place?.line === undefined ? comment : place, cwd) || "what was said";
			const start: Line = [
				span(selected ? "› " : "  ", "accent"),
				sign,
				span(`${sanitizeLine(name)}  `, "muted"),
				span(sanitizeLine(comment.text), sentMs === undefined ? "text" : "muted"),
			];
			return joinEnds(cutLine(start, width - lineWidth(right)), right, width);
		};
	},
	notes: () => [[]],
	sums(state) {
		const comments = openedComments(state);
		const waiting = comments.filter(isUnsent).length;
		const count = formatCounted(comments.length, "comment");
		return [`${count} · ${formatCount(waiting)} to send`, count].map((words) => [span(words, "muted")]);
	},
	nothing: () => ["There is no comment: c on a line of a change or of the conversation writes one."],
	second(state, box) {
		const comment = selectedComment(state);
		const place = comment && PLACED.of(state).value?.get(comment.key);
		const width = box.width - 2;
		const text = comment === undefined ? [] : cleanLines(comment.text).flatMap((line) => wrapText(line, width));
		const code = place === undefined ? [] : excerptLines(place).flatMap((line) => cleanLines(line, CODE_TAB_STOP));
		const lines = [
			...code.map((line): Line => [{ text: line, tone: line.startsWith(" ") ? "muted" : "text" }]),
			...(code.length === 0 ? [] : [[]]),
			...text.map((line): Line => [{ text: line }]),
		];
		return textPane(
			box,
			[span("this comment")],
			lines.map((line) => cutLine([span(" "), ...line], box.width)),
		);
	},
	marking: {
		of: (state) => REVIEW.of(state).marks,
		withMarks: (state, marks) => REVIEW.with(state, { marks }),
		what: ["comment", "comments"],
	},
	queries: [PLACED],
});
