// For `node --import`: moves the clock of a program, and of its threads, by as many milliseconds as MOVED_CLOCK_MS says.
const moved = Number(process.env.MOVED_CLOCK_MS);
const now = Date.now;

globalThis.Date = class extends Date {
	constructor(...args) {
		super(...(args.length === 0 ? [now() + moved] : args));
	}
	static now() {
		return now() + moved;
	}
};
