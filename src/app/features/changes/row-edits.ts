import { entryWords } from "../../../conversation/entries/branch-name.ts";
import { turnOfEntry } from "../../../conversation/entries/passages.ts";
import { placeOf } from "../../../conversation/entries/place.ts";
import { LineEdits } from "../../../edits/line-edits.ts";
import type { SessionEdit } from "../../../edits/session-files.ts";
import { memoEach } from "../../../shared/memo.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { quote } from "../../../ui/text/width.ts";
import type { ChangesRow } from "./changes-state.ts";
import type { Changes, ShownFile } from "./effects/changes-effects.ts";

/** The edits behind the lines of each file, found when a file is drawn whose edits differ. */
const editsOfLines = memoEach((_: ShownFile) => new Map<Changes["sessions"], LineEdits>());

export function lineEditsOf(file: ShownFile, { sessions, renderers }: Changes, home: string): LineEdits {
	const cached = editsOfLines(file);
	const edits =
		cached.get(sessions) ?? new LineEdits(file.edits, ({ session }) => sessions.get(session), renderers, home);
	cached.set(sessions, edits);
	return edits;
}

/** The edit that a row is about: the one that wrote its line, else the last one of the file. */
export function editOfRow(row: ChangesRow, changes: Changes, home: string): SessionEdit | undefined {
	const { file, diff, shows } = row;
	const line = shows.at(-1);
	if (diff?.edit !== undefined) return diff.edit;
	return diff === undefined || line === undefined
		? file.edits.at(-1)
		: lineEditsOf(file, changes, home).of(line, diff.lines);
}

/** "turn 2 “rotate the refresh token”": what the lines below a gap come from, in a file that several turns have changed. */
export function turnOfGap(row: ChangesRow, changes: Changes, home: string): string {
	const { file, diff, shows } = row;
	if (diff === undefined || diff.edit !== undefined || new Set(file.edits.map(({ turn }) => turn)).size < 2) return "";
	const at = diff.lines.indexOf(shows[0] ?? { kind: "gap", text: "" });
	const firstLine = diff.lines.slice(at + 1).find(({ kind }) => kind === "added" || kind === "removed");
	const edit = firstLine && lineEditsOf(file, changes, home).of(firstLine, diff.lines);
	return edit === undefined ? "" : `turn ${formatCount(edit.turn)}${promptOf(edit, changes, home)}`;
}

/** The beginning of the prompt that led to an edit, in quotes. */
function promptOf({ session: path, entryId }: SessionEdit, { sessions }: Changes, home: string): string {
	const session = sessions.get(path);
	if (session === undefined) return "";
	const { prompt } = turnOfEntry(session, entryId);
	return prompt === undefined ? "" : ` ${quote(entryWords(prompt, session, placeOf(session, home)), PROMPT_CELLS)}`;
}

const PROMPT_CELLS = 40;
