/** What stays of a long journal: its end, and a group of any size that is in it as a whole. */

/** As far back as is looked for the beginning of a group: one of more than 10,000 sessions. */
export const MOST_READ_BYTES = 32 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Where the last `bytes` bytes of a journal begin, or the group that they begin in: at a line. */
export function keptFrom(journal: Buffer, bytes: number): number {
	const from = journal.indexOf(NEWLINE, Math.max(0, journal.length - bytes - 1)) + 1;
	const id = firstGroup(journal.subarray(from).toString("utf8"));
	const first = id === undefined ? -1 : journal.indexOf(groupMark(id));
	return first === -1 ? from : Math.min(from, journal.lastIndexOf(NEWLINE, first) + 1);
}

/** Id of the first group that has a beginning of a change here, if a change begins with one: that may have begun before. */
function firstGroup(text: string): string | undefined {
	const id = /^\{"step":"begin".*"group":\{"id":("[^"]*")/m.exec(text)?.[1];
	return id === undefined ? undefined : JSON.parse(id);
}

function groupMark(id: string): string {
	return `"group":{"id":${JSON.stringify(id)}`;
}

/** The first line after a cut that left more than is usual, so that the next line does not cut it again; for nobody else. */
export function keptNote(bytes: number, usual: number): Buffer {
	return Buffer.from(bytes > usual ? `${JSON.stringify({ step: "kept", bytes })}\n` : "");
}

/** How long the file was after it was cut, by its first bytes; 0 when it does not say. */
export function lengthAfterCut(start: Buffer): number {
	return Number(/^\{"step":"kept","bytes":(\d{1,15})\}\n/.exec(start.toString("utf8"))?.[1] ?? 0);
}
