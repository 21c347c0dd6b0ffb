import type { Catalog } from "../catalog.ts";
import { HERE } from "../model/row.ts";
import type { Query } from "../query/parse-query.ts";
import type { SearchEvent } from "../search/search.ts";

interface Source {
	searched: number;
	total: number;
	/** The number of `watchVisible` that it has settled for; -1 while it has not. */
	settled: number;
	inForms: boolean;
	stop: () => void;
}

/** One search of several places: what each finds is passed on as it comes, and how far they are is summed up. */
export class SearchEverywhere {
	readonly #query: Query;
	readonly #listener: (event: SearchEvent) => void;
	readonly #sources = new Map<string, Source>();
	#progress = "";

	constructor(query: Query, listener: (event: SearchEvent) => void) {
		this.#query = query;
		this.#listener = listener;
	}

	/** Searches a place with so many known sessions, unless that goes on. */
	add(name: string, total: number, catalog: Pick<Catalog, "search">): void {
		if (this.#sources.has(name)) return;
		const source: Source = { searched: 0, total, settled: -1, inForms: false, stop: () => undefined };
		this.#sources.set(name, source);
		source.stop = catalog.search(this.#query, (event) => {
			if (this.#sources.get(name) !== source) return;
			if (event.type === "progress") {
				[source.searched, source.total] = [event.searched, event.total];
				this.#emitProgress();
			} else if (event.type === "settled") {
				[source.settled, source.inForms] = [event.watched, event.inForms];
				this.tellSettled();
				// A failure of a place is that of the place alone: its state says why.
			} else if (event.type === "error" && name !== HERE) this.remove(name);
			else this.#listener(event);
		});
	}

	/** Leaves out a place that was removed, or that can search no further. */
	remove(name: string): void {
		const source = this.#sources.get(name);
		if (source === undefined) return;
		this.#sources.delete(name);
		source.stop();
		this.#emitProgress();
		this.tellSettled();
	}

	stop(): void {
		for (const { stop } of this.#sources.values()) stop();
		this.#sources.clear();
	}

	#emitProgress(): void {
		const all = [...this.#sources.values()];
		const searched = all.reduce((sum, source) => sum + source.searched, 0);
		const total = all.reduce((sum, source) => sum + source.total, 0);
		if (this.#progress === `${searched}/${total}`) return;
		this.#progress = `${searched}/${total}`;
		this.#listener({ type: "progress", searched, total });
	}

	/** Tells that all places have been searched; of none there is nothing to wait for. */
	tellSettled(): void {
		const all = [...this.#sources.values()];
		const watched = Math.min(...all.map(({ settled }) => settled));
		if (watched < 0) return;
		this.#listener({ type: "settled", watched, inForms: all.some(({ inForms }) => inForms) });
	}
}
