import { HERE } from "../model/row.ts";
import type { SearchEvent } from "../search/search.ts";
import type { PlaceLink } from "./place-link.ts";

/** How far one place has searched. */
interface Source {
	searched: number;
	total: number;
	/** The number of `watchVisible` that it has settled for; undefined while it has not. */
	settled: number | undefined;
	inForms: boolean;
	/** Whether it can search no further. */
	hasFailed: boolean;
}

/** What a search asks of the link of a place. */
interface Searchable extends Pick<PlaceLink, "search"> {
	readonly place: { readonly name: string };
	readonly sessions: { readonly rows: { readonly size: number } };
}

/** One search of several places: what each finds is passed on as it comes, and how far they are is summed up. */
export class SearchEverywhere {
	/** What the texts are searched for. */
	readonly #words: string;
	readonly #listener: (event: SearchEvent) => void;
	readonly #sources = new Map<string, Source>();
	readonly #controller = new AbortController();
	#progress = "";

	constructor(words: string, listener: (event: SearchEvent) => void) {
		this.#words = words;
		this.#listener = listener;
	}

	/** Searches a place, unless that goes on already. */
	ask(link: Searchable): void {
		const { name } = link.place;
		if (this.#sources.get(name)?.hasFailed === false) return;
		const take = this.add(name, link.sessions.rows.size);
		void link.search(this.#words, take, this.#controller.signal);
	}

	/** Ends the searches of places; that of this machine is ended by whoever began it. */
	stop(): void {
		this.#controller.abort();
	}

	/**
	 * Adds a place with so many known sessions; returns what takes its events. A second one of the same name replaces the first. Its
	 * failure is that of the place alone, but for this machine.
	 */
	add(name: string, total: number): (event: SearchEvent) => void {
		const source: Source = { searched: 0, total, settled: undefined, inForms: false, hasFailed: false };
		this.#sources.set(name, source);
		return (event) => {
			if (this.#sources.get(name) !== source) return;
			if (event.type === "error" && name !== HERE) this.#end(source);
			else this.#take(source, event);
		};
	}

	/** The place can search no further: its sessions count as searched, and its state says why they are not. */
	fail(name: string): void {
		const source = this.#sources.get(name);
		if (source !== undefined) this.#end(source);
	}

	/** Leaves out a place, which is none any more, or another one. */
	remove(name: string): void {
		if (!this.#sources.delete(name)) return;
		this.#emitProgress();
		this.#emitSettled();
	}

	/** A place that need not be asked about the sessions that are visible now, since none is its own. */
	settle(name: string, watched: number): void {
		const source = this.#sources.get(name);
		// One that has failed has settled for all that will be visible.
		if (source?.settled === undefined || source.hasFailed) return;
		source.settled = watched;
		this.#emitSettled();
	}

	#take(source: Source, event: SearchEvent): void {
		if (event.type === "progress") {
			source.searched = event.searched;
			source.total = event.total;
			this.#emitProgress();
		} else if (event.type === "settled") {
			source.settled = event.watched;
			source.inForms = event.inForms;
			this.#emitSettled();
		} else this.#listener(event);
	}

	#end(source: Source): void {
		source.hasFailed = true;
		source.searched = source.total;
		source.settled = Number.POSITIVE_INFINITY;
		source.inForms = false;
		this.#emitProgress();
		this.#emitSettled();
	}

	#emitProgress(): void {
		let [searched, total] = [0, 0];
		for (const source of this.#sources.values()) {
			searched += source.searched;
			total += source.total;
		}
		const progress = `${searched}/${total}`;
		if (progress === this.#progress) return;
		this.#progress = progress;
		this.#listener({ type: "progress", searched, total });
	}

	#emitSettled(): void {
		const all = [...this.#sources.values()];
		const watched = all.reduce((least, { settled = -1 }) => Math.min(least, settled), Number.POSITIVE_INFINITY);
		if (watched === -1 || watched === Number.POSITIVE_INFINITY) return;
		this.#listener({ type: "settled", watched, inForms: all.some(({ inForms }) => inForms) });
	}
}
