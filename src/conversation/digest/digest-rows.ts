import { memoEach } from "../../shared/memo.ts";
import { formatCount, formatCounted, shortened } from "../../ui/text/format.ts";
import { type Line, type Span, span } from "../../ui/text/line.ts";
import { blanks, sanitizeLine, startOf } from "../../ui/text/sanitize.ts";
import { cutLine, cutText, joinEnds, lineWidth, padText } from "../../ui/text/width.ts";
import { changeSpans } from "../entries/change-spans.ts";
import type { Digest, DigestFailure, DigestItem } from "./digest.ts";

/** A row of a digest that is open. */
export interface DigestRow {
	/** "asked" on the first row of a part, "" on the others. */
	readonly label: string;
	readonly words: Line;
	/** What stands at the right end, before the address. */
	readonly outcome: Line;
	/** Id of the entry that it is about; "" for none. */
	readonly entryId: string;
}

/** How many rows the parts have where there is little room; what is between the first and the last ones is then one row. */
const FEW = { asked: 5, changed: 5, open: 4 } as const;
const NO_LIMIT = { asked: Infinity, changed: Infinity, open: Infinity } as const;

/** The rows of a digest; `isBrief`: as many as fit above a tree. */
export function digestRows(digest: Digest, isBrief: boolean): readonly DigestRow[] {
	const { asked, changed, failed, answer, open } = digest;
	const most = isBrief ? FEW : NO_LIMIT;
	const numbers = formatCount(asked.length).length;
	const prompts = asked.map((prompt) => {
		return row(prompt, [span(`${formatCount(prompt.turn).padStart(numbers)} `, "muted"), ...quoted(prompt, "prompt")]);
	});
	const files = changed.map(({ path, entryId, isActive, ...lines }) => {
		const aside = isActive ? [] : [span("  on a branch left", "muted")];
		return row({ entryId }, [span(sanitizeLine(path)), ...changeSpans(lines), ...aside]);
	});
	const openRows = open.map((item) => row(item, quoted(item, "warning")));
	const few = (rows: readonly DigestRow[], limit: number, what: string): readonly DigestRow[] =>
		shortened(rows, limit, (first, count) => row(first, [span(`… ${formatCount(count)} more ${what}`, "muted")]));
	const parts = {
		asked: few(prompts, most.asked, "prompts"),
		changed: few(files, most.changed, "files"),
		failed: failed === undefined ? [] : [failureRow(failed)],
		answered: answer === undefined ? [] : [row(answer, quoted(answer, "text"))],
		open: few(openRows, most.open, "things"),
	};
	const empty = Object.entries(parts).flatMap(([label, rows]) => (rows.length === 0 ? [label] : []));
	const nothing = row({ entryId: "" }, [span(empty.map((label) => `nothing ${label}`).join(", "), "muted")]);
	return [
		...Object.entries(parts).flatMap(([label, rows]) => labeled(label, rows)),
		...(empty.length === 0 ? [] : [nothing]),
	];
}

/** The rows above a tree; made once, since each of them is drawn by itself. */
export const briefRows = memoEach((digest: Digest) => digestRows(digest, true));

function row({ entryId }: Pick<DigestItem, "entryId">, words: Line, outcome: Line = []): DigestRow {
	return { label: "", words, outcome, entryId };
}

function quoted({ text }: DigestItem, tone: Span["tone"]): Line {
	return [span(sanitizeLine(text), tone)];
}

function failureRow(failure: DigestFailure): DigestRow {
	const { text, outcome, said, mended, isActive } = failure;
	const later =
		mended === undefined ? span(" · not tried again", "warning") : span(` · succeeded in turn ${mended.turn}`, "muted");
	const aside = isActive ? [] : [span(" · on a branch left", "muted")];
	const words = [span(sanitizeLine(text)), ...(said === "" ? [] : [span(`  ${sanitizeLine(said)}`, "muted")])];
	return row(failure, words, [span(sanitizeLine(outcome), "error"), later, ...aside]);
}

/** The rows of a part, the first with its label. */
function labeled(label: string, rows: readonly DigestRow[]): readonly DigestRow[] {
	return rows.map((one, index) => (index === 0 ? { ...one, label } : one));
}

const LABEL_WIDTH = 10;
/** Cells of an id: pi's have eight characters. */
const ID = 8;
/** A row that is narrower shows no ids. */
const LEAST_WIDTH = 60;

/** A row of a digest, exactly `width` cells; `press`: the command that its address runs when it is pressed. */
export function drawDigestRow({ label, words, outcome, entryId }: DigestRow, width: number, press?: string): Line {
	const start = span(padText(sanitizeLine(label), LABEL_WIDTH), "heading");
	const id = sanitizeLine(entryId === "" || width < LEAST_WIDTH ? "" : `#${startOf(entryId, ID)}`);
	const address: Span = { ...span(`  ${id}`, "muted"), ...(press !== undefined && { press }) };
	const room = width - LABEL_WIDTH - (id === "" ? 0 : ID + 3);
	// What came of it is worth more than the end of a command.
	const most = Math.max(room >> 1, room - lineWidth(words));
	const right = cutLine(outcome.length === 0 ? [] : [{ text: blanks(1) }, ...outcome], most);
	const line = joinEnds([start, ...words], right, LABEL_WIDTH + room);
	return id === "" ? line : joinEnds(line, [address], width);
}

/** Cells of the words of what failed in the row of a digest that is folded. */
const FAILED_WIDTH = 30;
/** Cells of the shortest beginning of an answer that is worth showing. */
const LEAST_ANSWER = 12;

/** "asked 3 · edited 2 files · open 1 · last answer “Committed as …”", in `room` cells. A click on the files opens their page. */
export function digestSummary(digest: Digest, room: number): Line {
	const { asked, changed, failed, answer, open } = digest;
	const dot = span(" · ", "muted");
	const first = [span(`asked ${formatCount(asked.length)}`, "muted"), dot, ...editedWords(changed)];
	const isBroken = failed?.isActive === true && failed.mended === undefined;
	const line = [
		...first,
		...(isBroken ? [dot, span(`✗ ${cutText(sanitizeLine(failed.text), FAILED_WIDTH)}`, "error")] : []),
		...(open.length === 0 ? [] : [dot, span(`open ${formatCount(open.length)}`, "warning")]),
	];
	const last = [dot, span("last answer “", "muted")];
	const cells = room - lineWidth([...line, ...last]) - 1;
	if (answer === undefined || cells < LEAST_ANSWER) return cutLine(line, room);
	return [...line, ...last, span(cutText(sanitizeLine(answer.text), cells)), span("”", "muted")];
}

/** Of steps: what commands did to files, only the ledger knows. */
function editedWords(files: Digest["changed"]): Line {
	const ownFiles = files.filter(({ isActive }) => isActive);
	const aside = files.length - ownFiles.length;
	const onBranches = aside === 0 ? "" : `, ${formatCounted(aside, "file")} on a branch left`;
	if (ownFiles.length === 0) return [span(`edited nothing${aside === 0 ? "" : ` here${onBranches}`}`, "muted")];
	return [{ ...span(`edited ${formatCounted(ownFiles.length, "file")}`, "muted"), press: "changes" }];
}
