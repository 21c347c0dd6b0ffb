import { reasonSentence } from "../../../changes/reason.ts";
import type { StoreClient } from "../../../changes/store-thread/store-client.ts";
import type { SessionCall, SessionCalls } from "../../../changes/store-thread/worker-actions.ts";
import type { WantedChange } from "../../../store/actions/session-history.ts";
import { cannot, type StoreError } from "../../../store/files/store-error.ts";
import { storedName } from "../../../store/format/new-entry.ts";
import type { HostNow } from "../state/catalog-state.ts";
import type { HostChange } from "../state/choice.ts";

/** The connection to the pi that started the browser. */
export interface HostPort {
	/** Has pi change the session that is open there; rejects with the reason, as a sentence, if it was not changed. */
	change(change: HostChange): Promise<void>;
	listen(listener: (now: HostNow) => void): void;
}

interface Hosting {
	readonly port: HostPort;
	/** Path of the session that is open there; undefined while it has no file. */
	readonly open: () => string | undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** The same store, but only pi writes to the session open there: it has the entries in memory, and would miss another's. */
export function hostedStore(store: StoreClient, { port, open }: Hosting): StoreClient {
	/** Asks pi to append the entry, then finds it in the file; resolves to its id. */
	async function change(path: string, asked: HostChange, wanted: WantedChange): Promise<string> {
		const at = new Date().toISOString();
		try {
			await port.change(asked);
		} catch (error) {
			throw refused(path, `pi has not changed it: ${reasonSentence(error)}`);
		}
		const foundChange = await store.run("findChange", path, wanted, at, NONE);
		// Without the id an undo considers the entry another program's, and asks.
		return foundChange?.entryId ?? "";
	}

	async function rename(path: string, name: string): Promise<SessionCalls["renameSession"]["result"]> {
		const { name: before } = await store.run("sessionNow", path, { own: NONE });
		if (storedName(name) === before) return { entryId: undefined, leafId: null, before };
		const entryId = await change(path, { action: "rename", name }, { type: "rename", set: name });
		return { entryId, leafId: null, before };
	}

	async function label(
		path: string,
		entryId: string,
		text: string | undefined,
	): Promise<SessionCalls["labelEntry"]["result"]> {
		const { label: now } = await store.run("sessionNow", path, { labelOf: entryId, own: NONE });
		const [before, set] = [now || undefined, text ?? ""];
		if (set === now) return { entryId: undefined, leafId: null, before };
		const request = { action: "label", entryId, label: set === "" ? null : set } as const;
		const appended = await change(path, request, { type: "label", entryId, set });
		return { entryId: appended, leafId: null, before };
	}

	/** Undefined for calls that only read. */
	function runByPi(call: SessionCall): Promise<SessionCalls[keyof SessionCalls]["result"]> | undefined {
		switch (call.name) {
			case "renameSession":
				return rename(...call.args);
			case "labelEntry":
				return label(...call.args);
			case "resumePoint":
			case "restoreLeaf":
			case "forwardLeaf":
				return Promise.reject(refused(call.args[0], "go to the entry with enter in its tree instead"));
			default:
				return undefined;
		}
	}

	return {
		...store,
		async run(name, ...args) {
			const [path] = args;
			// As in the store itself: the compiler does not see that a name and its own arguments make a call.
			const result = path === open() ? await runByPi({ name, args } as SessionCall) : undefined;
			return result === undefined ? store.run(name, ...args) : (result as SessionCalls[typeof name]["result"]);
		},
	};
}

function refused(path: string, why: string): StoreError {
	return cannot("change the session", path, "host", `it is open in pi; ${why}`);
}
