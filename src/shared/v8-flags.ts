import { setFlagsFromString } from "node:v8";

/** The settings of V8 that this program changes while it runs, by name, and what they are when it starts. */
const AT_START = { "semi-space-growth-factor": 2, "heap-growing-percent": 0, "optimize-for-size": false };

type V8Flags = Partial<typeof AT_START>;

interface Settings {
	/** What was asked for. */
	readonly wanted: V8Flags;
	/** How many need them as they were at the start; meanwhile they are. */
	holders: number;
}

declare global {
	/** Common to all of the process: each group of commands has its own copy of this module. */
	var piGroveV8Settings: Settings | undefined;
}

function settings(): Settings {
	globalThis.piGroveV8Settings ??= { wanted: {}, holders: 0 };
	return globalThis.piGroveV8Settings;
}

/** Changes settings of V8, for all threads: as soon as nobody needs those of the start. */
export function setV8Flags(flags: V8Flags): void {
	const { wanted, holders } = settings();
	Object.assign(wanted, flags);
	if (holders === 0) apply(flags);
}

/**
 * Sets them as they were at the start until the returned function is called, which then sets what is asked for. V8 uses compiled code
 * only if they are the same as when it was made: ours (`compiled-code.ts`), and the code of Node's own modules, which a thread or a
 * module that is loaded later would otherwise compile anew, in twice the time.
 */
export function holdV8Flags(): () => void {
	const held = settings();
	const changed = Object.fromEntries(Object.entries(AT_START).filter(([name]) => name in held.wanted));
	if (held.holders === 0) apply(changed);
	held.holders += 1;
	let isHeld = true;
	return () => {
		if (!isHeld) return;
		isHeld = false;
		held.holders -= 1;
		if (held.holders === 0) apply(held.wanted);
	};
}

function apply(flags: V8Flags): void {
	for (const [name, value] of Object.entries(flags)) {
		const isSwitch = typeof value === "boolean";
		setFlagsFromString(isSwitch ? `--${value ? "" : "no-"}${name}` : `--${name}=${value}`);
	}
}
