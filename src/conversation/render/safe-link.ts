/** Longer addresses are no links: a terminal may cut them anywhere. */
const LONGEST = 2000;
const SAFE = /^(?:https?|file):\/\/[!-~]+$/i;

/** An address that a terminal may be told to lead to: http, https or file, of printable ASCII alone. */
export function safeLink(address: string): string | undefined {
	return address.length <= LONGEST && SAFE.test(address) ? address : undefined;
}
