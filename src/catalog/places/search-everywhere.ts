import type { SearchEvent } from "../search/search.ts";

/** How far one place has searched. */
interface Source {
	searched: number;
	total: number;
	/** The number of `watchVisible` that it has settled for; -1 while it has not. */
	settled: number;
	inForms: boolean;
	readonly stop: () => void;
}

/** One search of several places: what each finds is passed on as it comes, and how far they are is summed up. */
export class SearchEverywhere {
	readonly #listener: (event: SearchEvent) => void;
	readonly #sources = new Map<string, Source>();
	#progress = "";

	constructor(listener: (event: SearchEvent) => void) {
		this.#listener = listener;
	}

	/** Searches a place with so many known sessions, unless that goes on. `begin` starts it, and returns what ends it. */
	add(name: string, total: number, begin: (take: (event: SearchEvent) => void) => () => void): void {
		if (this.#sources.has(name)) return;
		let stop = (): void => undefined;
		const source: Source = { searched: 0, total, settled: -1, inForms: false, stop: () => stop() };
		this.#sources.set(name, source);
		stop = begin((event) => {
			if (this.#sources.get(name) === source) this.#take(source, event);
		});
	}

	/** Leaves out a place that was removed, or that can search no further: its state says why. */
	remove(name: string): void {
		const source = this.#sources.get(name);
		if (source === undefined) return;
		this.#sources.delete(name);
		source.stop();
		this.#emitProgress();
		this.#emitSettled();
	}

	stop(): void {
		for (const { stop } of this.#sources.values()) stop();
		this.#sources.clear();
	}

	#take(source: Source, event: SearchEvent): void {
		if (event.type === "progress") {
			[source.searched, source.total] = [event.searched, event.total];
			this.#emitProgress();
		} else if (event.type === "settled") {
			[source.settled, source.inForms] = [event.watched, event.inForms];
			this.#emitSettled();
		} else this.#listener(event);
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
		const watched = Math.min(...all.map(({ settled }) => settled));
		if (watched < 0 || all.length === 0) return;
		this.#listener({ type: "settled", watched, inForms: all.some(({ inForms }) => inForms) });
	}
}
