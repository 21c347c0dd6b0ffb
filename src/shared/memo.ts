/** A pure function that remembers its last result: called again with the same arguments, it returns the same object. */
export function memoLast<Arguments extends readonly unknown[], Result>(
	compute: (...args: Arguments) => Result,
): (...args: Arguments) => Result {
	let last: { readonly args: Arguments; readonly result: Result } | undefined;
	return (...args) => {
		if (last === undefined || last.args.some((value, index) => !Object.is(value, args[index]))) {
			last = { args, result: compute(...args) };
		}
		return last.result;
	};
}

/** A pure function of an object that remembers the result for each object as long as that exists. */
export function memoEach<Key extends object, Result>(compute: (key: Key) => Result): (key: Key) => Result {
	const results = new WeakMap<Key, { readonly result: Result }>();
	return (key) => {
		let cached = results.get(key);
		if (cached === undefined) {
			cached = { result: compute(key) };
			results.set(key, cached);
		}
		return cached.result;
	};
}

/** Like `memoLast`, for a function of one object, whose fields are compared. */
export function memoFields<Fields extends object, Result>(
	compute: (fields: Fields) => Result,
): (fields: Fields) => Result {
	let last: { readonly fields: Fields; readonly result: Result } | undefined;
	return (fields) => {
		const previous = last;
		const keys = Object.keys(fields) as (keyof Fields)[];
		if (previous === undefined || keys.some((key) => !Object.is(fields[key], previous.fields[key]))) {
			last = { fields, result: compute(fields) };
			return last.result;
		}
		return previous.result;
	};
}

/** Like `memoLast`, but also returns the last object when a new result is equal to it. */
export function memoEqual<Arguments extends readonly unknown[], Result>(
	compute: (...args: Arguments) => Result,
	isEqual: (last: Result, now: Result) => boolean,
): (...args: Arguments) => Result {
	let last: { readonly result: Result } | undefined;
	return memoLast((...args: Arguments) => {
		const now = compute(...args);
		if (last === undefined || !isEqual(last.result, now)) last = { result: now };
		return last.result;
	});
}

export function sameMembers(one: ReadonlySet<unknown>, other: ReadonlySet<unknown>): boolean {
	return one.size === other.size && one.isSubsetOf(other);
}

/** Whether two lists have the same items in the same order. */
export function sameItems(one: readonly unknown[], other: readonly unknown[]): boolean {
	return one.length === other.length && one.every((item, at) => item === other[at]);
}

/** A cache of the most recently used values. */
export class RecentlyUsed<Key, Value> {
	readonly #values = new Map<Key, Value>();
	readonly #limit: number;
	readonly #weigh: (key: Key) => number;
	#weight = 0;

	/** `limit`: the largest total weight, by default the number of values. The latest value is kept whatever its weight. */
	constructor(limit: number, weigh: (key: Key) => number = () => 1) {
		this.#limit = limit;
		this.#weigh = weigh;
	}

	has(key: Key): boolean {
		return this.#values.has(key);
	}

	forget(key: Key): void {
		if (this.#values.delete(key)) this.#weight -= this.#weigh(key);
	}

	get(key: Key, make: () => Value): Value {
		const cached = this.#values.get(key);
		const value = cached ?? make();
		this.forget(key);
		this.#values.set(key, value);
		this.#weight += this.#weigh(key);
		for (const oldest of this.#values.keys()) {
			if (this.#weight <= this.#limit || oldest === key) break;
			this.forget(oldest);
		}
		return value;
	}
}
