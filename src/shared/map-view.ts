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
