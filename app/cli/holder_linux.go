package cli

import (
	"bufio"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// holder finds the process that listens on an address by the socket's inode:
// /proc/net/tcp has it, and a link in the process's fd directory. It gives
// nothing for processes of other users, whose links cannot be read.
func holder(addr string) (name string, pid int) {
	ap, err := netip.ParseAddrPort(addr)
	if err != nil {
		return "", 0
	}
	table := "/proc/net/tcp"
	if ap.Addr().Is6() {
		table = "/proc/net/tcp6"
	}
	for _, inode := range listeners(table, ap.Port()) {
		links, _ := filepath.Glob("/proc/[0-9]*/fd/*")
		for _, link := range links {
			if target, err := os.Readlink(link); err != nil || target != "socket:["+inode+"]" {
				continue
			}
			proc := strings.Split(link, "/")[2]
			comm, err := os.ReadFile(filepath.Join("/proc", proc, "comm"))
			if err != nil {
				continue
			}
			pid, _ := strconv.Atoi(proc)
			return strings.TrimSpace(string(comm)), pid
		}
	}
	return "", 0
}

// listeners gives the inodes of the sockets that listen on a port.
func listeners(table string, port uint16) []string {
	f, err := os.Open(table)
	if err != nil {
		return nil
	}
	defer f.Close()
	const listening = "0A"
	local := fmt.Sprintf(":%04X", port)
	var inodes []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		// sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode
		cols := strings.Fields(lines.Text())
		if len(cols) > 9 && strings.HasSuffix(cols[1], local) && cols[3] == listening {
			inodes = append(inodes, cols[9])
		}
	}
	return inodes
}
