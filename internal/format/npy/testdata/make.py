"""Makes the files of this folder: python -m venv v; v/bin/pip install numpy scipy; v/bin/python make.py"""
import numpy as np
import scipy.sparse


def write(name, array, version):
    with open(name, "wb") as f:
        np.lib.format.write_array(f, array, version=version, allow_pickle=True)


nan = float("nan")
write("c_float32_v1.npy", np.array([[1, 2.5, nan], [-3, 1e30, 0.1]], "<f4"), (1, 0))
write("fortran_float64_big_v2.npy", np.asfortranarray(np.array([[1, 2], [3, nan], [5, 6.25]], ">f8")), (2, 0))
write("fortran_uint16_v3.npy", np.asfortranarray(np.array([[1, 2, 3], [4, 5, 65535]], "<u2")), (3, 0))
write("half_v1.npy", np.array([0, -0.0, 2**-24, -1023 * 2**-24, 2**-14, 1, -65504, 0.1, nan], "<f2"), (1, 0))
write("int64_big_v1.npy", np.array([[2**53, -(2**63)], [-1, 7]], ">i8"), (1, 0))
write("bool_v1.npy", np.array([[True, False], [False, True]]), (1, 0))
write("infinite_v1.npy", np.array([[1, 2, 3], [4, 5, -np.inf]], "<f4"), (1, 0))
write("text_v1.npy", np.array(["red", "green"]), (1, 0))
write("object_v1.npy", np.array([1, "a"], object), (1, 0))
write("structured_v3.npy", np.array([(1, 2.0)], [("größe", "<i4"), ("b", "<f4")]), (3, 0))
write("scalar_v1.npy", np.array(3.0), (1, 0))
write("cube_v1.npy", np.zeros((2, 3, 4), "<f4"), (1, 0))
write("empty_v1.npy", np.zeros((0, 4), "<f4"), (1, 0))
np.savez("stored.npz", table=np.asfortranarray([[1.0, 2], [3, 4], [5, 6]]), y=np.array([1, -1, 1], "i1"))
np.savez_compressed("deflated.npz", x=np.arange(40, dtype="<f4").reshape(8, 5), other=np.ones((2, 2)), y=np.arange(8))
np.savez("unclear.npz", a=np.ones((2, 2)), b=np.ones((3, 3), "<f4"), names=np.array(["p", "q"]))
scipy.sparse.save_npz("sparse.npz", scipy.sparse.csr_matrix([[0, 1.0], [2, 0]]))
scipy.sparse.save_npz("csc.npz", scipy.sparse.csc_matrix([[0, 1.0], [2, 0]]))
cells = np.array([3, 1, 2, -4, nan], "<f4")
unsorted = scipy.sparse.csr_matrix((cells, [3, 0, 1, 2, 0], [0, 3, 3, 5]), shape=(3, 5))
scipy.sparse.save_npz("unsorted.npz", unsorted, compressed=False)
scipy.sparse.save_npz("twice.npz", scipy.sparse.csr_matrix((cells, [2, 0, 2, 2, 0], [0, 3, 3, 5]), shape=(3, 5)))
