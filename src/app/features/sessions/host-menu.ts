import type { SessionRow } from "../../../catalog/model/row.ts";
import { isLeaf } from "../../../conversation/entries/leaf.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { CANCEL, menu, sentence } from "../../world/screen/menus.ts";
import { BACK_TO_PI, choose } from "../../world/state/effect.ts";
import type { Host } from "../../world/state/host.ts";
import type { MenuItem, MenuOverlay } from "../../world/state/overlays.ts";
import { type State, shownSession } from "../../world/state/state.ts";
import {
	answerBelow,
	BRANCH_LABEL,
	beforeLabel,
	GO_ON_TITLE,
	isSaidAgain,
	leafLabel,
	quotedRow,
} from "./go-on-words.ts";
import { promptText, referenceText } from "./host-texts.ts";

/** Appended to the labels of actions that stop pi. */
const STOPS = ": stops the running turn";

/** Whether a dialog was opened to resume, or for a new session: the first item for that is highlighted. */
export type GoOnPurpose = "resume" | "branch";

/** Asks where to go on in the session that is open in pi: the actions that pi offers for an entry. */
export function openEntryMenu(
	state: State,
	host: Host,
	row: SessionRow,
	entry: SessionEntry,
	purpose: GoOnPurpose,
): MenuOverlay {
	const { path } = row;
	const session = shownSession(state.detail);
	const stops = host.busy ? STOPS : "";
	const fork = { action: "fork", path, entryId: entry.id } as const;
	const branch = { label: `${BRANCH_LABEL}${stops}`, effect: choose({ ...fork, position: "at" }) };
	const before: MenuItem = {
		label: `Branch before this prompt, to say it again there${stops}`,
		effect: choose({ ...fork, position: "before" }),
	};
	const items: MenuItem[] = [
		...(session === undefined ? [] : onwardItems(host, session, row, entry)),
		...(isPrompt(entry) ? [before] : []),
		branch,
		...(session === undefined ? [] : leafItem(state, session, entry)),
		...textItems(row, entry),
		CANCEL,
	];
	const busy = host.busy ? sentence(state, "A turn is running in pi: a branch stops it.", "warning") : [];
	const quoted = session === undefined ? [] : [quotedRow(state, session, entry)];
	return menu(GO_ON_TITLE, [...quoted, ...busy], {
		index: purpose === "branch" ? items.indexOf(branch) : 0,
		items,
	});
}

/** Items that only fill pi's editor and change no session. */
export function textItems(row: SessionRow, entry: SessionEntry): MenuItem[] {
	const text = promptText(entry);
	const { path } = row;
	return [
		...(text === undefined
			? []
			: [{ label: "Put its text into pi's editor", effect: choose({ action: "edit", text }) }]),
		{
			label: "Put a reference to it into pi's editor",
			effect: choose({ action: "reference", text: referenceText(row, entry.id), path, entryId: entry.id }),
		},
	];
}

/** The items that make pi go to an entry, or back to its leaf, where it is already. */
function onwardItems(host: Host, session: Session, { path }: SessionRow, entry: SessionEntry): readonly MenuItem[] {
	const when = host.busy ? ", when the running turn has ended" : "";
	const goTo = (label: string, { id }: SessionEntry): MenuItem => ({
		label: `${label}${when}`,
		effect: choose({ action: "goto", path, entryId: id }),
	});
	if (isLeaf(session, entry.id)) return [{ label: "Back to pi, which goes on here", effect: BACK_TO_PI }];
	// As in pi's own tree: a prompt is to be said again.
	const isAgain = isSaidAgain(session, entry);
	const answer = isAgain ? answerBelow(session, entry) : undefined;
	const here = goTo(isAgain ? beforeLabel(entry, "pi’s editor") : "Go on from here", entry);
	if (answer !== undefined && isLeaf(session, answer.id))
		return [here, { label: "Back to pi, which goes on from the answer below it", effect: BACK_TO_PI }];
	return [here, ...(answer === undefined ? [] : [goTo("Go on from the answer below it", answer)])];
}

/** The item that goes back to pi as it is, unless another one does; who looks at branches has chosen the end of one. */
function leafItem(state: State, session: Session, entry: SessionEntry): readonly MenuItem[] {
	const answer = isSaidAgain(session, entry) ? answerBelow(session, entry) : undefined;
	if (state.focus === "branches" || isLeaf(session, answer?.id ?? entry.id)) return [];
	const label = leafLabel(state, session, "Back to pi, which goes on at its leaf");
	return label === undefined ? [] : [{ label, effect: BACK_TO_PI }];
}

/** Only a fork before a prompt can leave it out (pi 1.5.2). */
function isPrompt(entry: SessionEntry): boolean {
	return entry.type === "message" && entry.message.role === "user";
}
