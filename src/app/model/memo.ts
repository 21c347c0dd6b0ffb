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
