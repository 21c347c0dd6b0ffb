/** A read-only map whose entries are computed on each access. */
export abstract class MapView<Key, Value> implements ReadonlyMap<Key, Value> {
	abstract get(key: Key): Value | undefined;
	/** In the order of the map. */
	abstract entries(): MapIterator<[Key, Value]>;
	abstract get size(): number;

	has(key: Key): boolean {
		return this.get(key) !== undefined;
	}

	keys(): MapIterator<Key> {
		return this.entries().map(([key]) => key);
	}

	values(): MapIterator<Value> {
		return this.entries().map(([, value]) => value);
	}

	forEach(call: (value: Value, key: Key, map: ReadonlyMap<Key, Value>) => void): void {
		for (const [key, value] of this.entries()) call(value, key, this);
	}

	[Symbol.iterator](): MapIterator<[Key, Value]> {
		return this.entries();
	}
}

/** The next version of a map, and the values that it replaced; undefined: there was none. */
interface Step<Key, Value> {
	readonly version: VersionedMap<Key, Value>;
	readonly before: ReadonlyMap<Key, Value | undefined>;
}

/**
 * An immutable map whose next version costs only as much as what differs: copying a hundred thousand entries takes
 * several frames. The latest version owns the entries; an older one makes a copy when it is read again, which is rare. Use
 * iterators at once: once there is a later version, they continue with its entries.
 */
export class VersionedMap<Key, Value> extends MapView<Key, Value> {
	/** Undefined once a later version owns them, until this version is read again. */
	#entries: Map<Key, Value> | undefined;
	#later: Step<Key, Value> | undefined;

	private constructor(entries: Map<Key, Value>) {
		super();
		this.#entries = entries;
	}

	/** The map itself if it is a `VersionedMap`, else a copy. */
	static of<Key, Value>(map: ReadonlyMap<Key, Value> = new Map()): VersionedMap<Key, Value> {
		return map instanceof VersionedMap ? map : new VersionedMap(new Map(map));
	}

	get size(): number {
		return this.#own().size;
	}

	get(key: Key): Value | undefined {
		return this.#own().get(key);
	}

	override has(key: Key): boolean {
		return this.#own().has(key);
	}

	entries(): MapIterator<[Key, Value]> {
		return this.#own().entries();
	}

	override keys(): MapIterator<Key> {
		return this.#own().keys();
	}

	override values(): MapIterator<Value> {
		return this.#own().values();
	}

	/** The next version: with these entries, and without these keys. */
	with(entries: Iterable<readonly [Key, Value]>, without: Iterable<Key> = []): VersionedMap<Key, Value> {
		const isLatest = this.#later === undefined;
		const own = isLatest ? this.#own() : new Map(this.#own());
		const before = new Map<Key, Value | undefined>();
		const note = (key: Key): void => {
			if (!before.has(key)) before.set(key, own.get(key));
		};
		for (const [key, value] of entries) {
			note(key);
			own.set(key, value);
		}
		for (const key of without) {
			note(key);
			own.delete(key);
		}
		const version = new VersionedMap(own);
		if (isLatest) {
			this.#later = { version, before };
			this.#entries = undefined;
		}
		return version;
	}

	/**
	 * The keys whose values have changed since an earlier version, with their values then; undefined if the argument is not
	 * an earlier version of this map.
	 */
	changedSince(earlier: ReadonlyMap<Key, Value>): ReadonlyMap<Key, Value | undefined> | undefined {
		const changed = new Map<Key, Value | undefined>();
		let at: ReadonlyMap<Key, Value> = earlier;
		while (at !== this) {
			const step: Step<Key, Value> | undefined = at instanceof VersionedMap ? at.#later : undefined;
			if (step === undefined) return undefined;
			for (const [key, value] of step.before) if (!changed.has(key)) changed.set(key, value);
			at = step.version;
		}
		return changed;
	}

	#own(): Map<Key, Value> {
		if (this.#entries !== undefined) return this.#entries;
		const steps: Step<Key, Value>[] = [];
		let latest: VersionedMap<Key, Value> = this;
		while (latest.#entries === undefined && latest.#later !== undefined) {
			steps.push(latest.#later);
			latest = latest.#later.version;
		}
		const own = new Map(latest.#entries);
		for (const { before } of steps.reverse()) {
			for (const [key, value] of before) {
				if (value === undefined) own.delete(key);
				else own.set(key, value);
			}
		}
		this.#entries = own;
		return own;
	}
}
