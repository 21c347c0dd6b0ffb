import { useApp } from "ink";
import { useEffect } from "react";
import type { Program } from "../src/app/core/program.ts";
import { thisSystem } from "../src/shared/system.ts";

/** The system does not stop a process that no one could continue; we then continue after this time. */
const STOPPED_MS = 100;

/**
 * Gives the terminal back while the process is stopped (by the person, or by `kill -TSTP`), and takes it again and repaints it
 * when the process continues, even after a stop that it could not notice (`kill -STOP`).
 */
export function useJobControl(program: Program): void {
	const { suspendTerminal } = useApp();
	useEffect(() => {
		const repaint = (): void => void suspendTerminal(() => Promise.resolve());
		const stopped = (stop: () => Promise<void>): void => {
			void suspendTerminal(async () => {
				process.off("SIGCONT", repaint);
				await stop();
				process.on("SIGCONT", repaint);
			});
		};
		const stopAlone = (): void =>
			stopped(async () => {
				const going = continued();
				process.kill(process.pid, "SIGSTOP");
				await going;
			});
		// As the terminal does for ctrl+z: everything that the shell started with us stops too, so that the shell comes back.
		const stopAll = (): void =>
			stopped(async () => {
				process.off("SIGTSTP", stopAlone);
				const going = Promise.race([continued(), new Promise((resolve) => setTimeout(resolve, STOPPED_MS))]);
				process.kill(0, "SIGTSTP");
				await going;
				// Time passes while the process is stopped, too, so the timer may fire before SIGCONT, which then follows at once. Without
				// waiting for it the screen would be painted twice.
				await new Promise((resolve) => setImmediate(resolve));
				process.on("SIGTSTP", stopAlone);
			});
		// A program that has the terminal stops and continues by itself, and the system stops and continues us with it.
		const lend = async (work: () => Promise<void>): Promise<void> => {
			process.off("SIGTSTP", stopAlone);
			process.off("SIGCONT", repaint);
			try {
				await suspendTerminal(work);
			} finally {
				process.on("SIGTSTP", stopAlone);
				process.on("SIGCONT", repaint);
			}
		};
		process.on("SIGTSTP", stopAlone);
		process.on("SIGCONT", repaint);
		program.onLend(lend);
		if (thisSystem.isUnix) program.onSuspend(stopAll);
		return () => {
			process.off("SIGTSTP", stopAlone);
			process.off("SIGCONT", repaint);
			program.onSuspend(undefined);
			program.onLend(undefined);
		};
	}, [program, suspendTerminal]);
}

function continued(): Promise<unknown> {
	return new Promise((resolve) => process.once("SIGCONT", resolve));
}
