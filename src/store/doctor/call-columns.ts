import { widenColumns } from "../../shared/columns.ts";
import type { RawEntry } from "../format/raw-entry.ts";
import { LEAF_ROLES, type LeafRole, leafRole } from "../tree/rewind.ts";
import { type CallLinks, callLinks, doesAnswer, type LinkedRoles } from "./orphaned-results.ts";

/** Roles of messages that decide where results may stand; the first stands for all other entries. */
const ROLES = [undefined, "user", "assistant", "toolResult"] as const;
const BY_ENTRY = ["role", "leaf", "answered"] as const;
const NONE = -1;

/**
 * What the examination of a file needs of every entry, as columns: a million objects with the ids of their calls would take
 * most of the memory. A result usually belongs to the last answer before it in the file; for any other, both lines are read
 * again.
 */
export class CallColumns {
	readonly #columns = {
		role: new Uint8Array(1024),
		leaf: new Uint8Array(1024),
		/** Of a result: the answer that has its call; -1 if that is not the last answer before it. */
		answered: new Int32Array(1024),
	};
	/** Answers whose lines were too long to be parsed, so that their calls are unknown. */
	readonly #unread = new Set<number>();
	#lastAnswer: { readonly index: number; readonly links: CallLinks } | undefined;
	#count = 0;

	/** Adds the next entry; `isWhole`: all of its line was parsed. */
	add(value: RawEntry, isWhole: boolean): void {
		const index = this.#count++;
		widenColumns(this.#columns, BY_ENTRY, this.#count);
		const links: CallLinks = isWhole ? callLinks(value) : { ...callLinks(value), role: "assistant" };
		if (!isWhole) this.#unread.add(index);
		const { role, leaf, answered } = this.#columns;
		role[index] = Math.max(0, ROLES.indexOf(links.role as (typeof ROLES)[number]));
		leaf[index] = LEAF_ROLES.indexOf(leafRole(value));
		answered[index] = NONE;
		if (links.role === "assistant") this.#lastAnswer = { index, links };
		else if (links.role === "toolResult" && this.#lastAnswer !== undefined && doesAnswer(links, this.#lastAnswer.links))
			answered[index] = this.#lastAnswer.index;
	}

	/** How the entry affects where the conversation continues. */
	leafAt(index: number): LeafRole {
		return LEAF_ROLES[this.#columns.leaf[index] ?? 0] ?? "said";
	}

	isPromptAt(index: number): boolean {
		return this.#roleAt(index) === "user";
	}

	/** The entries as input of `orphanedResults`. `read` reads the entry with this index from the file again. */
	linked(parents: Int32Array, read: (index: number) => RawEntry | undefined): LinkedRoles {
		return {
			count: this.#count,
			parentAt: (index) => parents[index] ?? NONE,
			roleAt: (index) => this.#roleAt(index),
			answers: (result, answer) => {
				if (this.#columns.answered[result] === answer || this.#unread.has(answer)) return true;
				return doesAnswer(callLinks(read(result) ?? {}), callLinks(read(answer) ?? {}));
			},
		};
	}

	#roleAt(index: number): (typeof ROLES)[number] {
		return ROLES[this.#columns.role[index] ?? 0];
	}
}
