import type { PlaceState } from "../../../catalog/model/event.ts";
import { editedText } from "../../../ui/field/edit.ts";
import { formatAgo, formatCounted, shortenHome } from "../../../ui/text/format.ts";
import { span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { typeQuery, withScope } from "../../world/list/list-actions.ts";
import { CANCEL, menu, sentence } from "../../world/screen/menus.ts";
import { type MenuOverlay, openOverlay, type PromptOverlay } from "../../world/state/overlays.ts";
import { type State, transition } from "../../world/state/state.ts";

/** All places, each with how far it has answered, and a way to add one. */
export function placesMenu(state: State): MenuOverlay {
	const { places } = state.catalog;
	const width = Math.max(0, ...places.map(({ name }) => name.length));
	return menu("Places besides this machine", places.length === 0 ? sentence(state, NONE) : [], {
		items: [
			...places.map((place) => ({
				label: `${place.name.padEnd(width)}  ${stateOf(place, state.now)}`,
				change: (now: State) => openOverlay(now, placeMenu(now, place)),
			})),
			{ label: "Add a place…", change: (now: State) => openOverlay(now, addPrompt()) },
			CANCEL,
		],
	});
}

const NONE = "Sessions in other directories and on other machines can be listed, searched, read and resumed from here.";

function placeMenu(state: State, place: PlaceState): MenuOverlay {
	const { name, kind, where, reason } = place;
	const address = kind === "dir" ? shortenHome(where, state.environment.home) : `ssh ${where}`;
	const body = [
		[span(sanitizeLine(address), "muted")],
		...(reason === undefined ? [] : sentence(state, reason, "warning")),
	];
	return menu(name, body, {
		items: [
			{ label: "Show only its sessions", change: (now: State) => typeQuery(now, `place:${name} `) },
			{
				label: reason === undefined ? "Show all places" : "Try again, and show all places",
				change: (now: State) => withScope(now, "everywhere"),
				effect: { type: "reach-places", isWanted: true },
			},
			{ label: "Remove it from the places: its sessions stay", effect: { type: "remove-place", name } },
			CANCEL,
		],
	});
}

/** "1,204 sessions", "not asked yet", "no answer". */
function stateOf({ phase, count, asOfMs }: PlaceState, now: number): string {
	const sessions = formatCounted(count, "session");
	const age = asOfMs === undefined ? "" : `, ${formatAgo(asOfMs, now)}`;
	if (phase === "listed") return sessions;
	if (phase === "unasked") return count === 0 ? "not asked yet" : `${sessions}${age}`;
	if (phase === "asking") return count === 0 ? "asking …" : `${sessions}${age}, asking …`;
	return count === 0 ? "no answer" : `no answer; ${sessions}${age}`;
}

function addPrompt(): PromptOverlay {
	return {
		kind: "prompt",
		title: "Add a place",
		body: [
			[span("A name, then a host as ssh takes it, or a directory:", "muted")],
			[span("mini ada@mini.local", "accent"), span("   ", "muted"), span("old /mnt/backup/.pi/agent", "accent")],
		],
		value: editedText(""),
		submit: (state, text) => transition(state, { type: "add-place", text }),
	};
}
