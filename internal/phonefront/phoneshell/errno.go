package phoneshell

import "errors"

// Errno is an error number of the phone's kernel. Its text is that of Android's strerror, which
// starts with a capital letter.
type Errno int32

// The error numbers that the phone gives, as on Linux.
const (
	ENOENT    Errno = 2
	EIO       Errno = 5
	ENXIO     Errno = 6
	EACCES    Errno = 13
	EEXIST    Errno = 17
	ENOTDIR   Errno = 20
	EISDIR    Errno = 21
	EINVAL    Errno = 22
	ENOSPC    Errno = 28
	EROFS     Errno = 30
	ENOTEMPTY Errno = 39
	ELOOP     Errno = 40
)

var errnoTexts = map[Errno]string{
	ENOENT:    "No such file or directory",
	EIO:       "I/O error",
	ENXIO:     "No such device or address",
	EACCES:    "Permission denied",
	EEXIST:    "File exists",
	ENOTDIR:   "Not a directory",
	EISDIR:    "Is a directory",
	EINVAL:    "Invalid argument",
	ENOSPC:    "No space left on device",
	EROFS:     "Read-only file system",
	ENOTEMPTY: "Directory not empty",
	ELOOP:     "Too many symbolic links encountered",
}

// Error returns strerror's text.
func (e Errno) Error() string { return errnoTexts[e] }

// ErrnoOf returns the error number inside err, and EIO for an error without one.
func ErrnoOf(err error) Errno {
	if e, ok := errors.AsType[Errno](err); ok {
		return e
	}
	return EIO
}
