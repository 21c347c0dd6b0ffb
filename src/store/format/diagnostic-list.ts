import type { Diagnostic, DiagnosticCode } from "./diagnostic.ts";

/** At most this many diagnostics of one code are stored; the rest are counted, so that a huge bad file costs no memory. */
const MAX_PER_CODE = 200;

/** A diagnostic of one of these codes. */
type Listed<Code extends string> = Omit<Diagnostic, "code"> & { readonly code: Code };

/** Collects the diagnostics while a file is read. */
export class DiagnosticList<Code extends string = DiagnosticCode> {
	readonly #diagnostics: Listed<Code>[] = [];
	readonly #counts = new Map<Code, { total: number; severity: Diagnostic["severity"] }>();

	/** Adds something lost (`damage`) or unusual (`note`); `line` is 1-based. */
	add(code: Code, severity: Diagnostic["severity"], message: string, line?: number): void {
		const count = this.#counts.get(code);
		if (count) count.total += 1;
		else this.#counts.set(code, { total: 1, severity });
		if ((count?.total ?? 1) <= MAX_PER_CODE) {
			this.#diagnostics.push(line === undefined ? { code, severity, message } : { code, severity, line, message });
		}
	}

	/** All diagnostics by line, those about the whole file first. */
	toArray(): Listed<Code>[] {
		const all = [...this.#diagnostics];
		for (const [code, { total, severity }] of this.#counts) {
			const more = total - MAX_PER_CODE;
			if (more > 0) all.push({ code, severity, message: `${more} more of this kind (${code}) in this file.` });
		}
		return all.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.message < b.message ? -1 : 1));
	}

	/** Whether further diagnostics of a code are only counted: nobody sees their messages. */
	isFull(code: Code): boolean {
		return (this.#counts.get(code)?.total ?? 0) >= MAX_PER_CODE;
	}

	/** How many there are of all codes. */
	get size(): number {
		return this.#counts.values().reduce((sum, { total }) => sum + total, 0);
	}

	/** Those that are stored, in the order in which they were found. */
	get stored(): readonly Listed<Code>[] {
		return this.#diagnostics;
	}

	/** How many there are of each code, with those that are only counted. */
	totals(): ReadonlyMap<Code, number> {
		return new Map([...this.#counts].map(([code, { total }]) => [code, total]));
	}
}
