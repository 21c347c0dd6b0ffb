import type { Note } from "../../../changes/answer.ts";
import { checkoutOf } from "../../../changes/kinds/checkout.ts";
import type { FileAt, FilesAt } from "../../../edits/files-at.ts";
import { clauses, commandName, ON_BRANCH } from "../../../edits/known.ts";
import { largest } from "../../../shared/columns.ts";
import { formatCount, formatCounted, formatDayTime, shortenHome } from "../../../ui/text/format.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutText, textWidth } from "../../../ui/text/width.ts";
import type { Effect } from "../state/effect.ts";
import type { EffectQuestion } from "../state/overlays.ts";

export interface FilesContext {
	/** Path of the session; "" if it is not on this machine. */
	readonly path: string;
	readonly title: string;
	readonly entryId: string;
	readonly words: string;
	/** The directory that would be made. */
	readonly into: string;
	readonly home: string;
	/** Unix ms. */
	readonly now: number;
	/** Rows for files and commands; the rest is summed up. */
	readonly rows: number;
	/** Whether pi opens in a window of tmux. */
	readonly inWindow?: true | undefined;
	/** Takes back in the session's own directory what was changed since. */
	readonly inPlace?: Effect | undefined;
}

const NAME_CELLS = 44;
/** Commands that are named. */
const COMMANDS = 4;

/** Shows what a directory with the files as of an entry would have, and asks what it is made for. */
export function filesQuestion(files: FilesAt, context: FilesContext): EffectQuestion {
	const { path, title, entryId, words, into, home, now, inWindow, inPlace } = context;
	const request = { path, title, entryId, into };
	const make = checkoutOf(files, { ...request, branches: false });
	const branch = checkoutOf(files, { ...request, branches: true });
	const goesOn: Effect = { type: "checkout-into", request: branch, opens: "pi", ...(inWindow && { inWindow }) };
	return {
		title: sanitizeLine(
			`Files as they were at “${cutText(sanitizeLine(words), NAME_CELLS)}”, ${formatDayTime(files.timeMs, now)}`,
		),
		body: [...baseNotes(files, into, home), ...fileNotes(files, context), ...restNotes(files, home)],
		choices: [
			...(path === ""
				? []
				: [{ label: "Make it, and go on from here in it: a new session there, resumed in pi", effect: goesOn }]),
			{ label: "Make it, and open a shell there", effect: { type: "checkout-into", request: make, opens: "shell" } },
			{ label: "Only make it", effect: make },
			...(inPlace === undefined
				? []
				: [
						{
							label: `In ${sanitizeLine(shortenHome(files.root, home))} instead: take back what this session changed later…`,
							effect: inPlace,
						},
					]),
			{ label: "Cancel" },
		],
		danger: false,
	};
}

/** Where they go, and on which commit. */
export function baseNotes({ base, baseReason }: FilesAt, into: string, home: string): readonly Note[] {
	const place = sanitizeLine(shortenHome(into, home));
	if (base === undefined) {
		const why = sanitizeLine(baseReason) || "It was not in a Git repository";
		return [{ text: `Into a new directory: ${place}. ${why}: only what sessions show is in it.` }];
	}
	const how =
		base.how === "reflog"
			? "checked out then, as the reflog says"
			: "the newest one before then: the reflog does not reach back so far";
	const commit = `${base.commit.slice(0, 8)} “${cutText(sanitizeLine(base.subject), NAME_CELLS)}”`;
	return [{ text: `Into a new worktree: ${place}, on commit ${commit} (${how}).` }];
}

const TONES = { exact: "text", likely: "warning", unknown: "error" } as const;

/** A row for each file that is written or removed, then for each that is not known; what is as the commit has it is one line. */
function fileNotes({ files, base }: FilesAt, { rows }: FilesContext): readonly Note[] {
	if (files.length === 0) {
		const text =
			base === undefined
				? "It would be empty: no session shows a file from then."
				: "All files are as that commit has them: no session had changed one by then.";
		return [{ text, tone: "muted" }];
	}
	const isWritten = ({ text, isAbsent }: FileAt): boolean => text !== undefined || (isAbsent && base !== undefined);
	const written = files.filter(isWritten);
	const unknown = files.filter(({ answer }) => answer === "unknown");
	const sameCount = files.length - written.length - unknown.length;
	const all = [...written, ...unknown];
	const room = sameCount === 0 ? rows : rows - 1;
	// Without room for all, it is the doubtful ones that are to be seen.
	const order = all.length <= room ? all : [...written.toSorted((a, b) => doubtOf(b) - doubtOf(a)), ...unknown];
	const shownFiles = order.slice(0, all.length <= room ? all.length : Math.max(1, room - 1));
	const width = Math.min(NAME_CELLS, largest(shownFiles.map(({ name }) => textWidth(sanitizeLine(name)))));
	const fileRows = shownFiles.map((file): Note => {
		const nameText = cutText(sanitizeLine(file.name), width);
		const padding = " ".repeat(Math.max(0, width - textWidth(nameText)));
		const text = `${file.answer.padEnd(7)}  ${nameText}${padding}  ${sanitizeLine(whyOf(file))}`;
		return { text, tone: TONES[file.answer], shape: "row" };
	});
	const rest = order.slice(shownFiles.length);
	const counts = [...Map.groupBy(rest, ({ answer }) => answer)].map(
		([answer, some]) => `${formatCount(some.length)} ${answer}`,
	);
	const same = formatCounted(sameCount, "file");
	const sameAs =
		base === undefined
			? "did not exist then"
			: sameCount === 1
				? "is as the commit has it"
				: "are as the commit has them";
	return [
		...fileRows,
		...(rest.length === 0 ? [] : [muted(`and ${formatCounted(rest.length, "more file")}: ${counts.join(", ")}`)]),
		...(sameCount === 0 ? [] : [muted(`${same} ${sameAs}.`)]),
	];
}

/** Why it is so; of a file that is removed, that it is. */
function whyOf({ isAbsent, why }: FileAt): string {
	return isAbsent && !/\b(?:deleted|moved away)\b/.test(why) ? clauses("removed", why) : why;
}

function muted(text: string): Note {
	return { text, tone: "muted" };
}

function doubtOf({ answer }: FileAt): number {
	return ["exact", "likely", "unknown"].indexOf(answer);
}

/** What else may have changed, and what is left out. */
export function restNotes(files: FilesAt, home: string): readonly Note[] {
	const { commands, otherCommands, outside, unread, root } = files;
	const commandTexts = [
		...otherCommands.map(({ text, title }) => `${commandName(text)} (“${title}”)`),
		// The number stays beside its word where the row is broken.
		...commands.map(
			({ text, turn, isLeft }) => `${commandName(text)} (turn\u00A0${turn}${isLeft ? ` ${ON_BRANCH}` : ""})`,
		),
	];
	const texts = [...new Set(commandTexts.map(sanitizeLine))];
	const more = texts.length - COMMANDS;
	const list = `${texts.slice(-COMMANDS).join(", ")}${more > 0 ? ` and ${formatCounted(more, "other")}` : ""}`;
	return [
		...(texts.length === 0 ? [] : [{ text: `May have changed more: ${list}.`, tone: "warning" } as const]),
		...(outside.length === 0
			? []
			: [
					{
						text: `Outside of the project, not written: ${outside.map((path) => sanitizeLine(shortenHome(path, home))).join(", ")}.`,
						tone: "warning",
					} as const,
				]),
		...unread.map((text) => ({ text: sanitizeLine(text), tone: "warning" }) as const),
		{ text: `Nothing in ${sanitizeLine(shortenHome(root, home))} is touched.`, tone: "muted" },
	];
}
