// For `node --import`: moves the clock of a program, and of its threads, by as many milliseconds as MOVED_CLOCK_MS says, and has it
// go on from minute to minute only, so that what is shown does not depend on how long the program takes to start.
const moved = Number(process.env.MOVED_CLOCK_MS);
const MINUTE_MS = 60_000;
const realNow = Date.now;
const now = () => Math.floor((realNow() + moved) / MINUTE_MS) * MINUTE_MS;

globalThis.Date = class extends Date {
	constructor(...args) {
		super(...(args.length === 0 ? [now()] : args));
	}
	static now() {
		return now();
	}
};
