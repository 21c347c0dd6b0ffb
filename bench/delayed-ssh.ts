import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Name of a host that never answers. */
export const SILENT_HOST = "silent";

/**
 * Writes a program called `ssh`, for which each home below `homes` is a machine: it runs `pi-grove serve --stdio` in the home that has
 * the host's name, and passes everything on after a delay, in both directions. Returns the directory to put in front of the PATH. What
 * the machine worked is in `HOME.work` when it has ended, in seconds. In Perl, because Node would take as long to start as the server.
 */
export function writeDelayedSsh(folder: string, homes: string, program: string, delayMs: number): string {
	const bin = join(folder, "bin");
	mkdirSync(bin, { recursive: true });
	writeFileSync(join(bin, "ssh"), script(homes, program, delayMs / 1000));
	chmodSync(join(bin, "ssh"), 0o755);
	return bin;
}

const script = (homes: string, program: string, delay: number): string => `#!/usr/bin/perl
use strict;
use IPC::Open2;
use Time::HiRes qw(time sleep);
my $host = $ARGV[-2];
sleep 600 if $host eq "${SILENT_HOST}";
sleep ${delay};
%ENV = (PATH => $ENV{PATH}, HOME => "${homes}/$host");
# A shell of its own says what it took, because this program may be killed before the server has ended.
my $run = '"$1" "$2" serve --stdio; times >"$HOME.part"; mv "$HOME.part" "$HOME.work"';
my $pid = open2(my $out, my $in, "sh", "-c", $run, "sh", "${process.execPath}", "${program}");
my @ways = ([\\*STDIN, $in, []], [$out, \\*STDOUT, []]);
my $isEnding = 0;
$SIG{TERM} = sub { $isEnding = 1 };
$SIG{PIPE} = "IGNORE";
while (!$isEnding) {
	my ($bits, $wait) = ("", undef);
	for my $way (@ways) {
		my ($from, $to, $queue) = @$way;
		vec($bits, fileno($from), 1) = 1 if defined $from;
		next unless @$queue;
		my $left = $queue->[0][0] - time;
		$wait = $left if !defined $wait || $left < $wait;
	}
	$wait = 0 if defined $wait && $wait < 0;
	my $ready = select(my $readable = $bits, undef, undef, $wait);
	next if $ready < 0;
	for my $way (@ways) {
		my ($from, $to, $queue) = @$way;
		if (defined $from && vec($readable, fileno($from), 1)) {
			my $count = sysread($from, my $bytes, 65536);
			push @$queue, [time + ${delay}, $count ? $bytes : undef];
			$way->[0] = undef unless $count;
		}
		while (@$queue && $queue->[0][0] <= time) {
			my $bytes = (shift @$queue)->[1];
			if (!defined $bytes) {
				close $to;
				$isEnding = 1;
			} else {
				for (my $at = 0; $at < length $bytes;) { $at += syswrite($to, $bytes, length($bytes) - $at, $at) // last }
			}
		}
	}
}
`;
