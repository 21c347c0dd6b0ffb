import { prepareSession, remoteNote, type ShareFormat } from "../../../app/world/effects/masked-share.ts";
import { conversationLeaf } from "../../../conversation/entries/leaf.ts";
import { titleText } from "../../../conversation/entries/session-title.ts";
import { plainLine } from "../../../conversation/markdown/plain-text.ts";
import { FINDING_NAMES, type FindingKind, findingKind } from "../../../conversation/share/found.ts";
import {
	type FindingGroup,
	findingHint,
	leftOutLines,
	maskedLine,
	type PreparedShare,
	pictureLines,
} from "../../../conversation/share/prepare-share.ts";
import { NO_FAMILY, type SharedFamily } from "../../../conversation/share/shared-family.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import type { Arguments } from "../../arguments/arguments.ts";
import type { ReadTarget } from "../../find/find-target.ts";
import { enumerate, Mistake, remark, withProgressNote } from "../../print/output.ts";

/** The kinds of private data that are not masked. */
export type AllowedKinds = ReadonlySet<FindingKind>;

/** The kinds that the value of `--allow` names: "mail,home", or "all". */
export function allowedKinds(typed = ""): AllowedKinds {
	const words = typed.split(",").filter((word) => word.trim() !== "");
	if (words.some((word) => word.trim() === "all")) return new Set(FINDING_NAMES);
	const kinds = words.map((word) => findingKind(word.trim()));
	const wrong = words.find((_, index) => kinds[index] === undefined);
	if (wrong !== undefined) throw new Mistake(`--allow takes ${enumerate([...FINDING_NAMES, "all"])}, not ${wrong}`);
	return new Set(kinds.filter((kind) => kind !== undefined));
}

/** Gathers what is to be shared of a session; a mistake if it is empty. `title`: instead of that of the session. */
export async function shareOf(
	read: ReadTarget,
	{ all = false }: Arguments,
	allowed: AllowedKinds,
	{ title, family = NO_FAMILY }: { readonly title?: string; readonly family?: SharedFamily } = {},
): Promise<PreparedShare> {
	const { session, row, entry, home, isRemote } = read;
	const entryId = entry?.id ?? conversationLeaf(session);
	if (entryId === undefined) throw new Mistake(`there is nothing in ${read.name}`);
	const titled = title === undefined ? { title: plainLine(titleText(row)) } : { title, isNamed: true };
	const prepared = prepareSession({ session, ...titled, entryId, all, allowed, home, isRemote, family });
	return withProgressNote(prepared, () => `Looking through ${read.name} …`);
}

/** Prints on stderr, before anything is written, which private data was found and what is left out. */
export function printShareNotes(prepared: PreparedShare, format: ShareFormat): void {
	const pictures = format === "html" ? pictureLines(prepared) : [];
	for (const line of [...findingLines(prepared), maskedLine(prepared), ...leftOutLines(prepared), ...pictures])
		remark(line);
}

/** Says on stderr what could not be looked for in a session of another machine. */
export function noteRemote({ row, isRemote }: ReadTarget): void {
	if (isRemote && row.place !== undefined) remark(remoteNote(row.place));
}

/** The most findings of a kind that are listed, and the most entries of a finding in the JSON. */
const MOST_LISTED = 10;

/** The private data by kind: each finding with its mask and the number of entries that contain it. */
function findingLines({ groups }: PreparedShare): string[] {
	return groups.flatMap(({ words, findings, isAllowed, kind }) => {
		const listed = findings.slice(0, MOST_LISTED).map((finding) => {
			const where = formatCounted(finding.places.size, "entry", "entries");
			return `  ${findingHint(finding)}${isAllowed ? "" : `  →  ${finding.mask}`}  in ${where}`;
		});
		const more = findings.length - listed.length;
		const head = isAllowed ? `${words}, left as they are:` : `${words}, masked (--allow ${kind} leaves them):`;
		return [head, ...listed, ...(more > 0 ? [`  and ${formatCount(more)} more; --json lists all`] : [])];
	});
}

/** The same as JSON; of a secret only its beginning. */
export function findingsJson({ kind, findings, isAllowed }: FindingGroup): object[] {
	return findings.map((finding) => ({
		kind,
		found: findingHint(finding),
		masked: !isAllowed,
		mask: finding.mask === finding.text ? null : finding.mask,
		count: finding.places.size,
		entries: [...finding.places].filter((id) => id !== "").slice(0, MOST_LISTED),
	}));
}
