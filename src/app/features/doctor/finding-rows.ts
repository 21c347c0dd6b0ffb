import { memoLast } from "../../../shared/memo.ts";
import type { Examination } from "../../../store/doctor/examine-session.ts";
import { type Finding, gravityOf, piDoes } from "../../../store/doctor/finding.ts";
import { type PageRow, rowAtCursor } from "../../../ui/page/page-cursor.ts";
import { formatCounted, shortenHome } from "../../../ui/text/format.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { span } from "../../../ui/text/span.ts";
import { cutText, textWidth } from "../../../ui/text/width.ts";
import { wrapText } from "../../../ui/text/wrap.ts";
import type { Line, Tone } from "../../../ui/view.ts";
import type { State } from "../../world/state.ts";
import { doctorLayout } from "./doctor-layout.ts";
import { selectedSession } from "./doctor-rows.ts";
import type { DoctorCopy } from "./doctor-state.ts";
import { copySentences, findingSentence, moreSentences } from "./doctor-words.ts";

/** One row of the pane of findings. */
export interface FindingRow extends PageRow {
	readonly line: Line;
	/** On the first row of a finding. */
	readonly finding?: Finding;
}

/** Rows that one sentence takes at most: a file may have texts of any length. */
const MOST_ROWS = 8;
const INDENT = "  ";

/** The findings of the session under the cursor, and what is known of its repaired copies. */
export function selectFindingRows(state: State): readonly FindingRow[] {
	const session = selectedSession(state);
	const { second: findings } = doctorLayout(state);
	if (session === undefined || findings === undefined) return [];
	const copies = state.doctor.copies.get(session.key);
	const hasChanged = session.examination.size !== session.row.size;
	return rowsOf(session.examination, copies, hasChanged, findings.width, state.environment.home);
}

const rowsOf = memoLast(
	(
		examination: Examination,
		copies: readonly DoctorCopy[] | undefined,
		hasChanged: boolean,
		width: number,
		home: string,
	): readonly FindingRow[] => {
		const rows = new Rows(width);
		rows.add(sanitizeLine(shortenHome(examination.path, home)), "muted");
		const entries = formatCounted(examination.entries, "entry", "entries");
		const several = examination.sessions > 1 ? `, ${formatCounted(examination.sessions, "session")} in one file` : "";
		rows.add(`${entries}${several}`, "muted");
		// One that cannot be read has no size.
		if (hasChanged && examination.size > 0)
			rows.add("It has changed since it was examined: a examines what has changed.", "warning");
		for (const finding of examination.findings) addFinding(rows, finding);
		for (const sentence of moreSentences(examination)) rows.add(sentence, "muted", { stop: true });
		for (const copy of copies ?? []) addCopy(rows, copy, home);
		if (copies?.length === 0) rows.add("There is no entry in it: no copy can be made.", "warning", { stop: true });
		return rows.all;
	},
);

function addFinding(rows: Rows, finding: Finding): void {
	const tone = TONES[gravityOf(finding)];
	rows.blank();
	rows.add(findingSentence(finding), tone, { finding });
	const pi = piDoes(finding.code);
	if (pi !== undefined) rows.add(pi, "muted", { indent: INDENT });
	if (finding.text !== undefined) rows.addCut(finding.text, "code");
}

const TONES = { closed: "error", loses: "warning", odd: "text" } as const;

function addCopy(rows: Rows, copy: DoctorCopy, home: string): void {
	const { dropped, changes } = copySentences(copy);
	const entries = formatCounted(copy.entries, "entry", "entries");
	rows.blank();
	const where =
		copy.path === undefined ? "a repaired copy would have" : `repaired copy ${shortenHome(copy.path, home)}:`;
	rows.add(`→ ${where} ${entries}`, "heading", { stop: true });
	for (const change of changes) rows.add(`changed: ${change}`, "text", { indent: INDENT, stop: true });
	for (const why of dropped) rows.add(`left out: ${why}`, "warning", { indent: INDENT, stop: true });
	if (changes.length + dropped.length === 0) rows.add("nothing is left out or changed", "muted", { indent: INDENT });
}

interface RowOptions {
	readonly indent?: string;
	readonly finding?: Finding;
	/** The cursor stops there. */
	readonly stop?: boolean;
}

/** Collects rows of a width; the cursor stops at the first one of what it may be on. */
class Rows {
	readonly all: FindingRow[] = [];
	readonly #width: number;

	constructor(width: number) {
		this.#width = width;
	}

	blank(): void {
		this.#push([span("")], false, undefined);
	}

	add(text: string, tone: Tone, { indent = "", finding, stop = finding !== undefined }: RowOptions = {}): void {
		const room = this.#width - indent.length - 3;
		const clean = sanitizeLine(text);
		const wrapped = textWidth(clean) <= room ? [clean] : wrapText(clean, room).slice(0, MOST_ROWS);
		for (const [index, row] of wrapped.entries())
			this.#push([span(indent), span(row, tone)], stop && index === 0, index === 0 ? finding : undefined);
	}

	addCut(text: string, tone: Tone): void {
		const cut = cutText(sanitizeLine(text), this.#width - INDENT.length - 3);
		if (cut !== "") this.#push([span(INDENT), span(cut, tone)], false, undefined);
	}

	#push(line: Line, stop: boolean, finding: Finding | undefined): void {
		const key = `${this.all.length}`;
		this.all.push({ key, line, ...(stop ? {} : { isSkipped: true }), ...(finding === undefined ? {} : { finding }) });
	}
}

/** The finding under the cursor. */
export function selectedFinding(state: State): Finding | undefined {
	return rowAtCursor(state.doctor.findingCursor, selectFindingRows(state))?.finding;
}
