package executor

import (
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW,
		HideWindow:    true,
	}
}

func holdThread() func() { return func() {} }

// gauge holds the process and a job object that has it as its only member. The
// job ends its member when its last handle is closed, also when that is the
// system cleaning up after the platform.
type gauge struct {
	mu      sync.Mutex
	process windows.Handle // 0 once the process is gone
	job     windows.Handle
}

// Limits of the job. The memory is a far backstop behind both watchdogs; the
// rest keeps the process from clipboard, windows and settings of the desktop.
const (
	maxCommit = 4 << 30
	noDesktop = windows.JOB_OBJECT_UILIMIT_DESKTOP | windows.JOB_OBJECT_UILIMIT_DISPLAYSETTINGS | windows.JOB_OBJECT_UILIMIT_EXITWINDOWS |
		windows.JOB_OBJECT_UILIMIT_GLOBALATOMS | windows.JOB_OBJECT_UILIMIT_HANDLES | windows.JOB_OBJECT_UILIMIT_READCLIPBOARD |
		windows.JOB_OBJECT_UILIMIT_SYSTEMPARAMETERS | windows.JOB_OBJECT_UILIMIT_WRITECLIPBOARD
)

const processRights = windows.PROCESS_QUERY_LIMITED_INFORMATION | windows.PROCESS_VM_READ |
	windows.PROCESS_SET_QUOTA | windows.PROCESS_TERMINATE

func (g *gauge) open(p *os.Process) error {
	process, err := windows.OpenProcess(processRights, false, uint32(p.Pid))
	if err != nil {
		return fmt.Errorf("watch the worker: %w", err)
	}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		_ = windows.CloseHandle(process)
		return fmt.Errorf("make a job for the worker: %w", err)
	}
	g.process, g.job = process, job
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | windows.JOB_OBJECT_LIMIT_ACTIVE_PROCESS |
		windows.JOB_OBJECT_LIMIT_PROCESS_MEMORY | windows.JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
	info.BasicLimitInformation.ActiveProcessLimit = 1 // so it cannot start another one
	info.ProcessMemoryLimit = maxCommit
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		ui := windows.JOBOBJECT_BASIC_UI_RESTRICTIONS{UIRestrictionsClass: noDesktop}
		_, err = windows.SetInformationJobObject(job, windows.JobObjectBasicUIRestrictions,
			uintptr(unsafe.Pointer(&ui)), uint32(unsafe.Sizeof(ui)))
	}
	if err == nil {
		err = windows.AssignProcessToJobObject(job, process)
	}
	if err != nil {
		g.close()
		return fmt.Errorf("put the worker into its job: %w", err)
	}
	return nil
}

func (g *gauge) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	_ = windows.CloseHandle(g.process)
	_ = windows.CloseHandle(g.job)
	g.process, g.job = 0, 0
}

// memoryCounters is PROCESS_MEMORY_COUNTERS of psapi.h.
type memoryCounters struct {
	size              uint32
	pageFaults        uint32
	peakWorkingSet    uintptr
	workingSet        uintptr
	quotaPeakPaged    uintptr
	quotaPaged        uintptr
	quotaPeakNonPaged uintptr
	quotaNonPaged     uintptr
	pagefileUsage     uintptr
	peakPagefileUsage uintptr
}

var getProcessMemoryInfo = windows.NewLazySystemDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo")

// resident is the memory the process occupies, in bytes; 0 when it is gone.
func (g *gauge) resident() int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.process == 0 {
		return 0
	}
	m := memoryCounters{size: uint32(unsafe.Sizeof(memoryCounters{}))}
	ok, _, _ := getProcessMemoryInfo.Call(uintptr(g.process), uintptr(unsafe.Pointer(&m)), uintptr(m.size))
	if ok == 0 {
		return 0
	}
	return int64(m.workingSet)
}

// cpu is the processor time of all threads of the process; 0 when it is gone.
func (g *gauge) cpu() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	var created, exited, kernel, user windows.Filetime
	if g.process == 0 || windows.GetProcessTimes(g.process, &created, &exited, &kernel, &user) != nil {
		return 0
	}
	ticks := func(f windows.Filetime) int64 { return int64(f.HighDateTime)<<32 | int64(f.LowDateTime) }
	return time.Duration(100 * (ticks(kernel) + ticks(user)))
}

// killedBy: on Windows a killed process only has an exit code.
func killedBy(*os.ProcessState) (os.Signal, bool) { return nil, false }
