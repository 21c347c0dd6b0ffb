import type { SessionRow } from "../../../catalog/model/row.ts";
import { isLeaf } from "../../../conversation/entries/leaf.ts";
import { placeOf } from "../../../conversation/entries/place.ts";
import { describeRow } from "../../../conversation/entries/row.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Line } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { span, strong } from "../../../ui/text/span.ts";
import { shownSession } from "../../world/opened/shown-session.ts";
import { CANCEL, menu, sentence } from "../../world/screen/menus.ts";
import { BACK_TO_PI, choose } from "../../world/state/effect.ts";
import type { Host } from "../../world/state/host.ts";
import type { MenuItem, MenuOverlay } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import { promptText, referenceText } from "./host-texts.ts";

/** Appended to the labels of actions that stop pi. */
const STOPS = ": stops the running turn";

/** For Enter on an entry of the session that is open in pi: the actions that pi offers for it. */
export function openEntryMenu(state: State, host: Host, row: SessionRow, entry: SessionEntry): MenuOverlay {
	const { path } = row;
	const stops = host.busy ? STOPS : "";
	const fork = { action: "fork", path, entryId: entry.id } as const;
	const items: MenuItem[] = [goToItem(state, host, row, entry)];
	if (isPrompt(entry))
		items.push({
			label: `Fork before this prompt, to say it again${stops}`,
			effect: choose({ ...fork, position: "before" }),
		});
	items.push({
		label: `Fork the path to this entry${stops}`,
		effect: choose({ ...fork, position: "at" }),
	});
	const busy = host.busy ? sentence(state, "A turn is running in pi: a fork stops it.", "warning") : [];
	return menu("Open in pi", [[strong(sessionTitle(row))], describe(state, entry), ...busy], {
		items: [...items, ...textItems(row, entry), CANCEL],
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

function goToItem(state: State, host: Host, { path }: SessionRow, entry: SessionEntry): MenuItem {
	const session = shownSession(state.detail);
	if (session !== undefined && isLeaf(session, entry.id))
		return { label: "Back to pi, which goes on here", effect: BACK_TO_PI };
	const when = host.busy ? ", when the running turn has ended" : "";
	// As in pi's own tree: a prompt is to be sent again.
	const label =
		isPrompt(entry) || entry.type === "custom_message" ? "Go before this prompt, to say it again" : "Go to this entry";
	return { label: `${label}${when}`, effect: choose({ action: "goto", path, entryId: entry.id }) };
}

/** Only a fork before a prompt can leave it out (pi 1.5.2). */
function isPrompt(entry: SessionEntry): boolean {
	return entry.type === "message" && entry.message.role === "user";
}

function describe({ detail, environment }: State, entry: SessionEntry): Line {
	const session = shownSession(detail);
	if (session === undefined) return [];
	const { verb, mark, text } = describeRow(entry, session, placeOf(session, environment.home));
	return [span(sanitizeLine([verb?.text, mark && `${mark.text} ·`, text].filter(Boolean).join(" ")), "muted")];
}
