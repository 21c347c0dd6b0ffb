import { hasOnlyGrown, sameInput } from "../../conversation/tree/draw-tree.ts";
import { isTypable } from "../../ui/keys/key-name.ts";
import { areAlternativesCounted } from "../features/list/other-queries.ts";
import { searchOf } from "../world/list/list-search.ts";
import { isListAnswered, isListCurrent, selectedResult, selectedRow } from "../world/list/select-list.ts";
import { selectBranches } from "../world/opened/select-branches.ts";
import { DRAWING, isLarge, queryIn, treeInput } from "../world/opened/select-tree.ts";
import { runBinding } from "../world/page/way-back.ts";
import { layoutFor } from "../world/screen/layout.ts";
import type { Action } from "../world/state/action.ts";
import {
	actsOn,
	type Binding,
	bindingFor,
	commandFor,
	nameNow,
	plainName,
	whyBlocked,
} from "../world/state/binding.ts";
import { handsOver, isChange } from "../world/state/effect.ts";
import { isChoice, topOverlay } from "../world/state/overlays.ts";
import { chain, type Input, type State, say, type Transition, transition } from "../world/state/state.ts";
import { openedPage } from "./features/features.ts";
import { handleAction } from "./handle-action.ts";
import { chooseNumber, endEditing, typeText } from "./input/keyboard.ts";
import { handleMouse, pressedInMessage } from "./input/mouse.ts";
import { reconcile } from "./reconcile.ts";

/** The whole behavior of the browser: the next state, and the effects to run. Pure; `at` is the present time, Unix ms. */
export function update(state: State, action: Action, at = state.now): Transition {
	switch (action.type) {
		case "keys":
			return action.keys.reduce<Transition>(
				(before, key) => chain(before, (now) => take(now, { type: "key", key, at }, at)),
				transition(state),
			);
		case "text":
			return take(state, { type: "text", text: action.text, at }, at);
		case "mouse": {
			// Keys wait for the screen that they act on; a click acts on the present one.
			if (state.waiting.length > 0 || state.handingOver) return transition(state);
			const pressed = pressedInMessage(state, action.event);
			if (pressed === "") return transition(endEditing(withoutMessage(state)));
			if (pressed !== undefined) return take(endEditing(state), { type: "command", id: pressed, at }, at);
			// The answer to a click stays when the button is released.
			const isHeld = action.event.kind === "release" || action.event.kind === "drag";
			const now = isHeld ? state : withoutMessage(state);
			return appeared(state, goOn(settled(handleMouse(endEditing(now), action.event, at), at), at), at);
		}
		default:
			return appeared(
				state,
				goOn(answerNothing(state, settled(handleAction(endHandingOver(state, action), action), at)), at),
				at,
			);
	}
}

/** Remembers when a menu has come under the pointer without a key, or has changed there: a click a moment later was not meant for it. */
function appeared(lastState: State, [state, effects]: Transition, at: number): Transition {
	const [last, top] = [topOverlay(lastState), topOverlay(state)];
	if (top === last || !isChoice(top)) return [state, effects];
	const isSame =
		top.kind === last?.kind &&
		(top.kind !== "menu" || (last.kind === "menu" && top.title === last.title && top.body === last.body));
	return [isSame ? state : { ...state, mouse: { ...state.mouse, appearedMs: at } }, effects];
}

/** Handles one key or text, or queues it behind those that wait. */
function take(state: State, input: Input, at: number): Transition {
	if (state.waiting.length === 0) return goOn(settled(enter(state, input), at), at);
	if (!endsWaiting(input)) return transition({ ...state, waiting: [...state.waiting, input] });
	// Once the wait for the session to open is ended, the list stays.
	const free = { ...state, waiting: [], list: { ...state.list, opensPending: false } };
	// Escape only ends the waiting; ctrl+c then does what it always does.
	return isKey(input, "escape") ? transition(free) : settled(enter(free, input), at);
}

/** pi was not started, or has ended. */
function endHandingOver(state: State, { type }: Action): State {
	return state.handingOver && ENDS_HANDING_OVER.has(type) ? { ...state, handingOver: false } : state;
}

const ENDS_HANDING_OVER: ReadonlySet<Action["type"]> = new Set([
	"back",
	"done",
	"changed",
	"in-use",
	"ask",
	"directory-missing",
]);

/** Drops what was typed before a question appeared: it is not an answer to it. */
function answerNothing(lastState: State, [state, effects]: Transition): Transition {
	const isAsked = state.overlays.length > lastState.overlays.length;
	return [isAsked && state.waiting.length > 0 ? { ...state, waiting: [] } : state, effects];
}

/** Handles waiting input in order, until one must still wait. */
function goOn(result: Transition, at: number): Transition {
	let [state, effects] = result;
	for (let next = state.waiting[0]; next !== undefined && !mustWait(state, next); next = state.waiting[0]) {
		const [after, more] = settled(enter({ ...state, waiting: [] }, next), at);
		state = { ...after, waiting: [...after.waiting, ...state.waiting.slice(1)] };
		effects = [...effects, ...more];
	}
	return [state, effects];
}

function enter(state: State, input: Input): Transition {
	if (mustWait(state, input)) return transition({ ...state, waiting: [input] });
	const now = withoutMessage(state);
	const mistake = acting(now, input) === undefined ? undefined : mistakeIn(now);
	if (mistake !== undefined)
		return transition(say(now, `${mistake.replace(/\.$/, "")}: finish the filter, or clear it with esc`, "warning"));
	if (input.type === "text") return transition(typeText(now, input.text));
	return input.type === "key" ? press(now, input.key) : command(now, input.id);
}

/** Whether a key acts on something that is not on the screen yet. */
function mustWait(state: State, input: Input): boolean {
	// What is typed before the session that the command line names is there is meant for its tree.
	if (state.handingOver || state.list.opensPending) return !endsWaiting(input);
	const acts = acting(state, input);
	return acts !== undefined && mistakeIn(state) === undefined && !isAnswered(state, acts, input.at);
}

function acting(state: State, input: Input): Binding["acts"] {
	if (input.type === "text") return undefined;
	const what = input.type === "key" ? actsOn(state, input.key) : commandFor(state, input.id)?.acts;
	if (state.overlays.length === 0) return what;
	// An overlay itself shows what its keys act on, except for a page whose rows depend on what is typed there.
	const acts = openedPage(state)?.field === undefined ? undefined : what;
	return acts === "entry" ? acts : undefined;
}

/** The mistake in the filter of the focused pane, whose rows are then those of an earlier filter. */
function mistakeIn(state: State): string | undefined {
	if (state.overlays.length > 0) return openedPage(state)?.field?.mistake(state);
	const { focus, tree } = state;
	if (focus === "list") return searchOf(state).mistake?.message;
	return focus === "tree" ? tree.mistake : undefined;
}

function endsWaiting(input: Input): boolean {
	return isKey(input, "escape") || isKey(input, "ctrl+c");
}

function isKey(input: Input, key: string): boolean {
	return input.type === "key" && input.key === key;
}

/** Handles a key: runs its binding, else types it, else says why it does nothing. */
function press(state: State, key: string): Transition {
	const binding = bindingFor(state, key);
	if (binding !== undefined) return run(binding, state);
	const numbered = chooseNumber(state, key);
	if (numbered !== undefined) return numbered;
	const typed = isTypable(key) ? typeText(state, key) : state;
	if (typed !== state) return transition(typed);
	const reason = whyBlocked(state, key);
	return transition(reason === undefined ? state : say(state, reason, "warning"));
}

/** Runs a command, or says why it cannot act: what it was to act on may be gone. */
function command(state: State, id: string): Transition {
	const binding = commandFor(state, id);
	if (binding === undefined) return transition(state);
	const reason = binding.needs?.(state);
	if (reason === undefined) return run(binding, state);
	const name = state.environment.keymap.find((other) => other.id === id && other.name !== undefined)?.name ?? id;
	return transition(say(state, `${plainName(nameNow(name, binding.isOn?.(state) === true))}: ${reason}`, "warning"));
}

/** Runs a binding. Unless it edits text, it ends editing, so that undo and yank do not reach across it. */
function run(binding: Binding, state: State): Transition {
	const [next, effects] = runBinding(state, binding);
	return [next.typing === state.typing ? endEditing(next) : next, effects];
}

/** Reconciles the state, and counts the changes that are started. */
function settled(result: Transition, at: number): Transition {
	const [state, effects] = chain(result, (now) => reconcile(now, at));
	const changes = effects.filter(isChange).length;
	if (changes === 0) return [state, effects];
	const handingOver = state.handingOver || effects.some(handsOver);
	return [{ ...state, handingOver, changing: state.changing + changes }, effects];
}

/** Removes the message, the selection and the mark of what was copied: they have been seen when the next key is pressed. */
function withoutMessage(state: State): State {
	const { message, mouse, reader } = state;
	if (message === undefined && mouse.selection === undefined && reader.copied === undefined) return state;
	const next = { ...state, message: undefined, reader: { ...reader, copied: undefined } };
	return { ...next, mouse: { ...mouse, selection: undefined } };
}

/** A person who presses a key has seen what was on the screen this long before. */
const SEEN_MS = 150;

/**
 * Whether the screen shows what a key pressed at the time `at` acts on: the answer to everything typed before. Otherwise
 * the key would act on a row or an entry that nobody has chosen.
 */
export function isAnswered(state: State, acts: NonNullable<Binding["acts"]>, at: number): boolean {
	const field = openedPage(state)?.field;
	if (field !== undefined) return field.isAnswered(state);
	if (acts === "order") return isListCurrent(state);
	if (state.changing > 0) return false;
	if (acts === "list") return isListAnswered(state);
	const inList = state.focus === "list";
	if (inList && !isRowAnswered(state, at)) return false;
	if (inList && acts !== "cursor" && areAlternativesCounted(state)) return false;
	return acts === "session" || acts === "chosen" || (acts === "cursor" && inList) || isTreeAnswered(state);
}

function isRowAnswered(state: State, at: number): boolean {
	const { list } = state;
	if (!isListCurrent(state)) return false;
	if (list.selected !== undefined && at - list.seen.since >= SEEN_MS) return true;
	return isListAnswered(state);
}

/** Whether the tree belongs to the session under the cursor, with its filter and hits applied. */
function isTreeAnswered(state: State): boolean {
	const { detail, tree } = state;
	const row = selectedRow(state);
	const drawn = layoutFor(state);
	if (row === undefined || (drawn.tree ?? drawn.reader ?? drawn.branches) === undefined) return true;
	if (detail.status === "none" || detail.row.path !== row.path) return false;
	if (detail.status === "loading" && state.request === state.readAfterChange) return false;
	const session = detail.session;
	if (session === undefined) return detail.status === "failed";
	if (state.focus === "branches") return selectBranches(state) !== undefined;
	const query = queryIn(state, row.path);
	const isFound = query.terms.length > 0 && selectedResult(state) !== undefined;
	if (isFound && !(tree.hits?.path === row.path && tree.hits.query === query && tree.hits.complete)) return false;
	if (!isLarge(session, tree.parsed)) return true;
	const { value: drawing } = DRAWING.of(state);
	if (drawing?.isComplete !== true) return false;
	const { input } = drawing;
	const nextInput = { ...treeInput(state, session), pinned: input.pinned };
	return sameInput(input, nextInput) || hasOnlyGrown(input, nextInput);
}
