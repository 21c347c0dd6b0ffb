import type { SessionRow } from "../../../catalog/model/row.ts";
import type { Digest } from "../../../conversation/digest/digest.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { plainLine } from "../../../conversation/markdown/plain-text.ts";
import { formatSize, shortenHome } from "../../../ui/text/format.ts";
import { isPicking, type Key, onSelected } from "../../world/keys/key.ts";
import { digestText, NO_DIGEST, selectDigest } from "../../world/opened/select-digest.ts";
import { onOpened } from "../../world/page/way-back.ts";
import { CANCEL, menu, sentence, titleRow } from "../../world/screen/menus.ts";
import { choose } from "../../world/state/effect.ts";
import { type MenuItem, withOverlay } from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";

// biome-ignore format: a table
export const HAND_OVER_KEYS: readonly Key[] = [
	{ id: "hand-over", name: "New session with this one's digest…", synonyms: "hand over, continue, handoff, summary, compact", keys: [], contexts: ["tree", "reader", "branches"],
		help: "start a new session of pi in the same directory, with the digest as its first prompt", acts: "session",
		...onSelected(selectDigest, NO_DIGEST, askToHandOver, (state) => (isPicking(state) ? "Here a session can only be chosen" : undefined)) },
	{ id: "hand-over", keys: [], contexts: ["list"], when: (state) => !isPicking(state), help: "open the session, and hand it over",
		...onOpened("hand-over", (state) => { const digest = selectDigest(state); return digest === undefined ? transition(say(state, NO_DIGEST, "warning")) : askToHandOver(state, digest); }) },
];

/** Asks before pi is started, or opens another session: it says in which directory, and where the digest goes. */
function askToHandOver(state: State, digest: Digest): Transition {
	const { row } = state.detail;
	if (row === undefined) return transition(state);
	const text = firstPrompt(state, row, digest);
	const body = [
		titleRow(sessionTitle(row)),
		...sentence(
			state,
			`The first prompt is the digest behind an introduction (${formatSize(Buffer.byteLength(text))}), which you can change before you send it. This session stays as it is.`,
		),
	];
	return withOverlay(
		state,
		menu("New session with the digest of this one", body, { items: [...waysOn(state, row, text), CANCEL] }),
	);
}

function waysOn({ environment: { host, cwd, home, tmux } }: State, row: SessionRow, text: string): MenuItem[] {
	if (host !== undefined) {
		// pi makes new sessions in its own directory.
		const where = host.open.cwd === row.cwd ? "" : `, in ${shortenHome(host.open.cwd, home)}`;
		const stops = host.busy ? ": stops the running turn" : "";
		return [
			{
				label: `New session in pi${where}, with the digest in its editor${stops}`,
				effect: choose({ action: "new", text }),
			},
		];
	}
	const directory = row.place === undefined && row.cwd !== "" ? row.cwd : cwd;
	const start = { type: "start-session", cwd: directory, text, what: "the digest" } as const;
	const label = `Start pi in ${shortenHome(directory, home)}, with the digest on the clipboard`;
	const inWindow = { label: "The same in a new tmux window", effect: { ...start, inWindow: true } } as const;
	return [{ label, effect: start }, ...(tmux === true ? [inWindow] : [])];
}

function firstPrompt(state: State, { id, path }: SessionRow, digest: Digest): string {
	return [
		"This continues an earlier session of pi. What it came to, collected without a model:\n\n",
		digestText(state, digest),
		`Where that is not enough, read one of its turns: \`pi-grove show ${plainLine(id || path)}#ENTRY --turn\`\n\n`,
	].join("");
}
