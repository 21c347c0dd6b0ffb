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

/** A copy of a map with these entries, and without these keys. Takes 5 ms for 30,000 entries. */
export function withEntries<Key, Value>(
	map: ReadonlyMap<Key, Value>,
	entries: Iterable<readonly [Key, Value]>,
	without: Iterable<Key> = [],
): ReadonlyMap<Key, Value> {
	const copy = new Map(map);
	for (const [key, value] of entries) copy.set(key, value);
	for (const key of without) copy.delete(key);
	return copy;
}

export function sameEntries<Key>(one: ReadonlyMap<Key, unknown>, other: ReadonlyMap<Key, unknown>): boolean {
	if (one.size !== other.size) return false;
	for (const [key, value] of one) if (other.get(key) !== value) return false;
	return true;
}
