import type { Steps } from "../../shared/steps.ts";
import { explain } from "../../store/files/store-error.ts";
import { CHUNK_BYTES } from "../../store/read/line-reader.ts";
import type { Condition } from "../query/conditions.ts";
import { type FileUses, readUsesSteps } from "./read-uses.ts";
import { KeptTexts, type RankedText, rankUses, selectUsesSteps, type UsedTexts, type UseQuery } from "./select-uses.ts";
import type { Use, UseKind } from "./use.ts";

/** A search of all uses. */
export interface UseRequest extends UseQuery {
	/** The session files, newest first: a use that forks have copied is attributed to the newest. */
	readonly paths: readonly string[];
	/** Conditions that the time of a use must meet (`splitDates`). */
	readonly dates: readonly Condition[];
	/** Unix ms, from which the weeks are counted. */
	readonly now: number;
}

/** The prompts and commands of session files; kept in memory only. */
export class UseLibrary {
	readonly #texts = new KeptTexts();
	readonly #files: Readonly<Record<UseKind, Map<string, FileUses>>> = { prompt: new Map(), command: new Map() };
	/** Why files could not be read, by path. */
	readonly #unread = new Map<string, string>();
	readonly #buffer = Buffer.allocUnsafe(CHUNK_BYTES);
	#ranked: { readonly of: UseRequest; readonly texts: readonly RankedText[] } | undefined;

	/** Reads a file if it has changed. A file that cannot be read has no uses; `unread` has the reason. */
	*readSteps(path: string, kind: UseKind): Steps<void> {
		const files = this.#files[kind];
		const known = files.get(path);
		try {
			const keep = (hash: number, text: string) => this.#texts.keep(hash, text);
			const read = yield* readUsesSteps(path, kind, { keep, buffer: this.#buffer, known });
			this.#unread.delete(path);
			if (read === known) return;
			files.set(path, read);
		} catch (error) {
			files.delete(path);
			this.#unread.set(path, explain(error));
		}
		this.#ranked = undefined;
	}

	/** Those of these files that could not be read, with the reason. */
	unread(paths: readonly string[]): readonly (readonly [path: string, reason: string])[] {
		if (this.#unread.size === 0) return [];
		return paths.flatMap((path) => {
			const reason = this.#unread.get(path);
			return reason === undefined ? [] : [[path, reason] as const];
		});
	}

	/** The matching texts of the files read so far, in steps. */
	*selectSteps(request: UseRequest): Steps<UsedTexts> {
		return yield* selectUsesSteps(this.#rankedFor(request), this.#texts, request);
	}

	#rankedFor(request: UseRequest): readonly RankedText[] {
		const { kind, paths, dates, now } = request;
		const before = this.#ranked?.of;
		// The passage of time alone does not change the order.
		if (before?.kind === kind && before.paths === paths && JSON.stringify(before.dates) === JSON.stringify(dates))
			return this.#ranked?.texts ?? [];
		const texts = rankUses(this.#usesOf(paths, kind), dates, now);
		this.#ranked = { of: request, texts };
		return texts;
	}

	*#usesOf(paths: readonly string[], kind: UseKind): Generator<readonly Use[]> {
		for (const path of paths) {
			const file = this.#files[kind].get(path);
			if (file) yield file.uses;
		}
	}
}
